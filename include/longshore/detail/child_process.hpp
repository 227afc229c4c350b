// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_CHILD_PROCESS_HPP
#define LONGSHORE_DETAIL_CHILD_PROCESS_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/pipe.hpp>
#include <longshore/detail/prepared_child.hpp>
#include <longshore/detail/start_child.hpp>
#include <longshore/detail/system_calls.hpp>
#include <longshore/detail/undisturbed.hpp>
#include <longshore/launch/request.hpp>

#if LONGSHORE_WINDOWS
#error                                                                                                       \
    "longshore starts processes on POSIX systems only; path mapping and JSON work without <longshore/process/...>"
#else

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// What to start. It refers to the caller's values, which must live until start() returns.
struct ChildPlan {
    std::vector<std::string> const& arguments;   // argv; the first is the program's absolute path
    std::vector<std::string> const& environment; // exactly these `NAME=value`
    std::string const& working_directory;        // empty: the host's own
    bool merge_error;                            // its standard error goes where its output goes
    ResourceLimits const& limits;
    std::string_view input_head; // what fits is put into its standard input before it starts
};

// How a process ended: 0..255; negative: the signal that ended it; empty: lost, because another part of the
// host reaped it or the host ignores SIGCHLD. It is never invented.
struct ExitStatus {
    std::optional<int> status{};

    friend bool operator==(ExitStatus const&, ExitStatus const&) = default;
};

// One started process, the leader of its own process group, and our ends of its pipes. Not thread safe; any
// thread may use it, one at a time. Its destructor kills the group and reaps the leader; it waits for that at
// most `longest_wait`, because a process that hangs in the kernel cannot be killed by anyone.
class ChildProcess {
public:
    static constexpr std::chrono::milliseconds longest_wait{2000};

    // Throws std::system_error whose text names the program, with the child's own errno where the child
    // failed on its way to it; then nothing was started, and neither a descriptor nor a zombie is left.
    static ChildProcess start(ChildPlan const& plan, SystemFeatures const& features = {});

    ChildProcess(ChildProcess&& other) noexcept
        : input{std::move(other.input)}, output{std::move(other.output)}, error{std::move(other.error)},
          input_written{other.input_written}, features_{other.features_}, exit_{std::move(other.exit_)},
          process_{std::exchange(other.process_, -1)}, ended_{other.ended_} {}
    ChildProcess& operator=(ChildProcess&& other) noexcept {
        if (this == &other) return *this;
        end();
        input = std::move(other.input);
        output = std::move(other.output);
        error = std::move(other.error);
        input_written = other.input_written;
        features_ = other.features_;
        exit_ = std::move(other.exit_);
        process_ = std::exchange(other.process_, -1);
        ended_ = other.ended_;
        return *this;
    }
    ~ChildProcess() { end(); }

    FileDescriptor input;      // to write to; non-blocking, as the others are
    FileDescriptor output;     // to read from
    FileDescriptor error;      // to read from; empty when merged
    std::size_t input_written; // bytes of `input_head` that are in the pipe already

    ::pid_t process() const noexcept { return process_; }

    // Readable once the process has ended. -1 where there is none: then try_reap is asked from time to time.
    // Readable is a hint, and try_reap decides.
    int exit_descriptor() const noexcept { return exit_.get(); }

    // SIGKILL for everything in the process group, and for its leader, which may have left the group. Nothing
    // once the leader is reaped.
    void kill_group() noexcept;

    // Empty while the process runs; afterwards the same answer however often it is asked. When the process
    // has ended, the rest of its group is killed while its leader, still a zombie, keeps the group's number
    // from being given to anybody else; only then is the leader reaped.
    std::optional<ExitStatus> try_reap() noexcept;

private:
    explicit ChildProcess(SystemFeatures const& features) : input_written{0}, features_{features} {}

    enum class Leader { running, zombie, gone };
    Leader look(::siginfo_t& info, int options) const noexcept;
    void signal_group() const noexcept;
    void signal_leader() const noexcept;
    void wait_a_moment() const noexcept;
    void end() noexcept;

    SystemFeatures features_;
    FileDescriptor exit_{};
    ::pid_t process_ = -1; // -1: none, or reaped
    std::optional<ExitStatus> ended_{};
};

// Nobody can have closed the other end yet, so SIGPIPE is impossible.
inline std::size_t fill_pipe(FileDescriptor const& writer, std::string_view bytes) noexcept {
    std::size_t written = 0;
    while (written < bytes.size()) {
        auto const got = ::write(writer.get(), bytes.data() + written, bytes.size() - written);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        written += static_cast<std::size_t>(got);
    }
    return written;
}

inline PreparedChild prepare_child(ChildPlan const& plan, SystemFeatures const& features) {
    auto const program = plan.arguments.empty() ? std::string{} : plan.arguments.front();
    if (program.empty() || program.front() != '/')
        throw std::system_error{ENOENT, std::generic_category(),
                                "cannot start '" + program + "', which is not an absolute path"};
    PreparedChild child;
    child.arguments = c_strings(plan.arguments, "an argument");
    child.environment = c_strings(plan.environment, "an environment variable");
    if (!plan.working_directory.empty())
        child.directory = c_string(plan.working_directory, "the working directory");
    child.limits = process_limits(plan.limits);
    child.descriptor_bound = descriptor_search_bound();
    child.features = features;
    return child;
}

inline ChildProcess ChildProcess::start(ChildPlan const& plan, SystemFeatures const& features) {
    NoCancellation const no_cancellation;
    auto child = prepare_child(plan, features);
    auto input = make_pipe();
    auto output = make_pipe();
    auto error = plan.merge_error ? Pipe{} : make_pipe();
    make_non_blocking(input.writer);
    make_non_blocking(output.reader);
    if (!plan.merge_error) make_non_blocking(error.reader);

    ChildProcess process{features};
    process.input_written = fill_pipe(input.writer, plan.input_head);
    child.streams = {input.reader.get(), output.writer.get(),
                     plan.merge_error ? output.writer.get() : error.writer.get()};
    auto started = start_child(child);
    process.process_ = started.process;
    process.exit_ = std::move(started.exit);
    process.input = std::move(input.writer);
    process.output = std::move(output.reader);
    process.error = std::move(error.reader);
    return process;
}

// Asks after the leader without changing anything, or with the options of a real wait.
inline ChildProcess::Leader ChildProcess::look(::siginfo_t& info, int options) const noexcept {
    int result = 0;
    do {
        info = {};
        result = ::waitid(P_PID, static_cast<::id_t>(process_), &info, WEXITED | WNOHANG | options);
    } while (result != 0 && errno == EINTR);
    if (result != 0) return Leader::gone;
    return info.si_pid == 0 ? Leader::running : Leader::zombie;
}

inline void ChildProcess::kill_group() noexcept {
    NoCancellation const no_cancellation;
    if (process_ <= 0) return;
    signal_group();
    signal_leader();
}

inline void ChildProcess::signal_group() const noexcept {
    if (exit_.valid() && features_.group_signal &&
        (pidfd_send_signal(exit_.get(), SIGKILL, pidfd_signal_process_group) == 0 || errno == ESRCH))
        return;
    // By number only while the leader, running or a zombie, holds it: somebody else may have reaped it.
    ::siginfo_t info{};
    if (look(info, WNOWAIT) != Leader::gone) ::kill(-process_, SIGKILL);
}

inline void ChildProcess::signal_leader() const noexcept {
    if (exit_.valid() && pidfd_send_signal(exit_.get(), SIGKILL, 0) == 0) return;
    ::siginfo_t info{};
    if (look(info, WNOWAIT) == Leader::running) ::kill(process_, SIGKILL);
}

inline std::optional<ExitStatus> ChildProcess::try_reap() noexcept {
    if (process_ <= 0) return ended_;
    NoCancellation const no_cancellation;
    ::siginfo_t info{};
    auto const leader = look(info, WNOWAIT);
    if (leader == Leader::running) return std::nullopt;
    signal_group();
    ended_ = ExitStatus{};
    if (leader == Leader::zombie) {
        ended_->status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
        look(info, 0);
    }
    process_ = -1;
    exit_.reset();
    return ended_;
}

inline void ChildProcess::wait_a_moment() const noexcept {
    constexpr int slice_ms = 2;
    ::pollfd entry{exit_.get(), POLLIN, 0};
    ::poll(&entry, 1, exit_.valid() ? static_cast<int>(longest_wait.count()) : slice_ms);
}

inline void ChildProcess::end() noexcept {
    if (process_ <= 0) return;
    NoCancellation const no_cancellation;
    input.reset();
    kill_group();
    auto const deadline = std::chrono::steady_clock::now() + longest_wait;
    while (!try_reap() && std::chrono::steady_clock::now() < deadline)
        wait_a_moment();
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
