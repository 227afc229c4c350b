// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_FILESYSTEM_SANDBOX_ERROR_HPP
#define LONGSHORE_FILESYSTEM_SANDBOX_ERROR_HPP

#include <longshore/error.hpp>

#include <cstdint>
#include <string>

namespace longshore::inline v0 {

/// What a sandbox refused to do.
enum class SandboxEscape : std::uint8_t {
    traversal,          ///< the path climbs with `..`
    symbolic_link,      ///< a symbolic link stands in the path or in the place of the file
    not_a_regular_file, ///< a FIFO, a device, a socket or a directory stands in the place of the file
    exchanged,          ///< somebody put something else in the place of what was opened or written
    untrusted_root      ///< the root is a link, belongs to another user, or may be written by others
};

/// A path or a file that would have led out of the sandbox, or made the host open what is no file. Nothing
/// was written.
///
/// It is a `ContainerExecutionError`, because the specification asks for that one where a container plants
/// such a thing, and its text says what stands where; so nothing has to be translated on the way up.
/// Source: container_tool_exec.feature, "sync_results_to_host rejects path traversal attempts".
class SandboxEscapeError : public ContainerExecutionError {
public:
    SandboxEscapeError(std::string const& text, SandboxEscape reason)
        : ContainerExecutionError{text}, reason_{reason} {}

    SandboxEscape reason() const noexcept { return reason_; }

private:
    SandboxEscape reason_;
};

} // namespace longshore::inline v0

#endif
