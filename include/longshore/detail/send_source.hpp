// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SEND_SOURCE_HPP
#define LONGSHORE_DETAIL_SEND_SOURCE_HPP

#include <longshore/config.hpp>
#include <longshore/container/sync_options.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_reader.hpp>

#if !LONGSHORE_WINDOWS

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace longshore::inline v0::detail {

// What the system says of a file is an error of the transfer, never of a launch that could not start.
template <typename Step>
auto as_transfer(Step step) {
    try {
        return step();
    } catch (std::system_error const& error) {
        throw ContainerExecutionError{error.what()};
    }
}

// The content of a file on its way into a container, and the observer that hears of it. What either throws is
// kept, because a launcher may throw something of its own as well.
class SendSource {
public:
    SendSource(SandboxReader reader, std::string container_path,
               std::function<void(SyncProgress const&)> on_progress)
        : reader_{std::move(reader)}, container_path_{std::move(container_path)}, on_progress_{std::move(
                                                                                      on_progress)} {}

    std::size_t read(std::span<char> into) {
        try {
            auto const count = as_transfer([&] { return reader_.read(into); });
            tell_progress();
            return count;
        } catch (...) {
            thrown_ = std::current_exception();
            throw;
        }
    }

    void tell_progress() const {
        if (!on_progress_) return;
        auto const done = reader_.size() - reader_.remaining();
        on_progress_({.file = container_path_,
                      .file_bytes = done,
                      .file_total = reader_.size(),
                      .bytes = done,
                      .total = reader_.size()});
    }

    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    SandboxReader reader_;
    std::string container_path_;
    std::function<void(SyncProgress const&)> on_progress_;
    std::exception_ptr thrown_{};
};

} // namespace longshore::inline v0::detail

#endif
#endif
