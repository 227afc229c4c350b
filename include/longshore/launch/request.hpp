// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_REQUEST_HPP
#define LONGSHORE_LAUNCH_REQUEST_HPP

#include <longshore/timeout.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace longshore::inline v0 {

/// How to get to the place where a command runs, for example `/usr/bin/docker exec -i 4f5e`. No arguments:
/// this host. Two equal transports lead to the same place, so it is the key of a warm session.
struct Transport {
    std::vector<std::string> arguments{};   ///< argv in front of the command; the first is an absolute path
    std::vector<std::string> environment{}; ///< exactly these `NAME=value`, for the transport's own process

    friend bool operator==(Transport const&, Transport const&) = default;
};

/// What runs there.
struct Command {
    std::vector<std::string> arguments{}; ///< argv, byte for byte as the command will see it
    std::string working_directory{};      ///< absolute; empty: wherever the transport arrives
    /// `NAME=value`, added there. It stands on no command line, but for names that shells keep for
    /// themselves, such as `UID`, where a guard has to hand them to `env`.
    std::vector<std::string> environment{};
    friend bool operator==(Command const&, Command const&) = default;
};

/// Input that is pulled while the command runs, in constant memory. `length` is announced before the first
/// byte and must be kept: `read` fills the front of the span and returns how much; it returns 0 only after
/// `length` bytes. A source that throws ends the call.
struct InputStream {
    std::uint64_t length = 0;
    std::function<std::size_t(std::span<char>)> read{};
};

/// What the command reads on its standard input: owned bytes, or a pulled stream.
using Input = std::variant<std::string, InputStream>;

/// The bytes that an input will give.
inline std::uint64_t input_length(Input const& input) noexcept {
    if (auto const* bytes = std::get_if<std::string>(&input)) return bytes->size();
    return std::get<InputStream>(input).length;
}

/// One of the two streams that a command writes.
enum class Stream : std::uint8_t { output, error };

/// What a sink wants next.
enum class Flow : std::uint8_t { go_on, stop };

/// What to do with one stream of the command.
///
/// The sink gets every byte of the *command*, never of the transport, in order, on the thread that drives the
/// call. While it runs nothing more of that stream is read, so a slow sink slows the command and memory stays
/// bounded. A sink that throws ends the call, and the exception leaves `run` once nothing is left running.
struct OutputPlan {
    std::size_t keep = std::size_t{50} << 20;                           ///< bytes kept in the outcome
    std::uint64_t accept = (std::numeric_limits<std::uint64_t>::max)(); ///< beyond this the command is ended
    std::function<Flow(std::string_view)> sink{};
};

/// Limits of the started process, for the host transport. Empty: as the host process has them.
struct ResourceLimits {
    std::optional<std::uint64_t> memory_bytes{}; ///< address space
    std::optional<std::uint64_t> processes{};    ///< processes of the user; does not bind root
    std::optional<std::uint64_t> file_bytes{};   ///< size of a file that it writes
    std::optional<std::uint64_t> open_files{};
    std::optional<std::uint64_t> cpu_seconds{};
    friend bool operator==(ResourceLimits const&, ResourceLimits const&) = default;
};

/// One call: a command, where it runs, what it reads, what becomes of what it writes, and how long it may
/// take. A plain value: a copy is independent of the original, and it outlives the caller's buffers.
struct LaunchRequest {
    Transport transport{};
    Command command{};
    Input input{};
    OutputPlan output{};
    OutputPlan error{};
    bool merge_error = false; ///< one stream, `output`, in the order written
    ResourceLimits limits{};
    Timeout timeout = 120;                      ///< from the start to the end, everything included
    std::optional<Timeout> no_output_timeout{}; ///< longest silence of both streams together
    std::chrono::nanoseconds kill_grace = std::chrono::seconds{1}; ///< for the guard to end the command
    std::chrono::nanoseconds drain_grace =
        std::chrono::milliseconds{500}; ///< for pipes that others hold open
    std::stop_token stop_token{};
    bool guarded = true; ///< false: for images without `sh`; the outcome is then not proven by a frame
};

} // namespace longshore::inline v0

#endif
