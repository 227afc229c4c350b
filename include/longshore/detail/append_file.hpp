// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_APPEND_FILE_HPP
#define LONGSHORE_DETAIL_APPEND_FILE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/undisturbed.hpp>

#if !LONGSHORE_WINDOWS

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// A file that several processes add whole lines to.
//
// A line is one write() with O_APPEND, which Linux does in one piece for a regular file, whatever its length.
// The lock is for what that cannot do: taking back a line that a full disk cut short, and seeing that a file
// was not moved away. It is advisory and never waited for without end, because a stopped process may hold it;
// a line that is added without the lock is still one piece.
class AppendFile {
public:
    AppendFile(std::string const& path, bool sync, std::chrono::nanoseconds lock_timeout)
        : path_{std::filesystem::absolute(path).string()}, sync_{sync}, lock_timeout_{lock_timeout} {}

    std::string const& path() const noexcept { return path_; }

    // Adds a line, which holds no newline. Throws `std::system_error` when it is not there afterwards.
    void append(std::string line) {
        line += '\n';
        std::lock_guard const guard{mutex_};
        NoCancellation const undisturbed;
        Locked const locked{*this};
        auto const size = size_now();
        if (size > 0 && last_byte(size) != '\n')
            line.insert(line.begin(), '\n'); // a crash cut the last line short
        respect_size_limit(size + static_cast<std::uint64_t>(line.size()));
        write(line, size, locked.alone());
        if (sync_) sync(file_.get());
    }

private:
    // The lock on the file that has the path now, for as long as it is in a scope.
    class Locked {
    public:
        explicit Locked(AppendFile& file) : file_{file} {
            // Between opening and locking, the file may have been moved away each time.
            constexpr auto most_rounds = 100;
            for (auto round = 0; round < most_rounds; ++round) {
                file_.open();
                alone_ = file_.lock();
                if (file_.has_path()) return;
                unlock();
                file_.file_.reset();
            }
            file_.fail(EBUSY);
        }
        Locked(Locked const&) = delete;
        Locked& operator=(Locked const&) = delete;
        ~Locked() { unlock(); }

        bool alone() const noexcept { return alone_; }

    private:
        // Closing is not enough: a forked child may share the open file.
        void unlock() noexcept {
            if (std::exchange(alone_, false)) ::flock(file_.file_.get(), LOCK_UN);
        }

        AppendFile& file_;
        bool alone_ = false;
    };

    // O_NONBLOCK: a FIFO that someone put there must not stop the program.
    void open() {
        if (auto const process = ::getpid();
            process_ != process) { // a fork's lock would be its parent's as well
            file_.reset();
            process_ = process;
        }
        if (file_.valid()) return;
        constexpr auto flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
        constexpr ::mode_t owner_only = 0600;
        FileDescriptor opened{again([&] { return ::open(path_.c_str(), flags, owner_only); })};
        if (!opened.valid()) fail(errno, errno == ELOOP ? "it is a symbolic link" : "");
        struct ::stat status {};
        if (::fstat(opened.get(), &status) != 0) fail(errno);
        if (!S_ISREG(status.st_mode)) fail(EINVAL, "it is not a regular file");
        file_ = std::move(opened);
        if (sync_) sync_directory();
    }

    bool lock() {
        auto pause = std::chrono::microseconds{50};
        constexpr std::chrono::microseconds longest_pause{5000};
        auto const deadline =
            std::chrono::steady_clock::now() + (stuck_ ? std::chrono::nanoseconds{} : lock_timeout_);
        while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EINTR) continue;
            if (errno != EWOULDBLOCK) return false; // a file system without locks
            if (std::chrono::steady_clock::now() >= deadline) {
                stuck_ = true; // the next lines do not wait again
                return false;
            }
            std::this_thread::sleep_for(pause);
            pause = (std::min)(pause * 2, longest_pause);
        }
        stuck_ = false;
        return true;
    }

    bool has_path() const {
        struct ::stat named {};
        struct ::stat opened {};
        return ::lstat(path_.c_str(), &named) == 0 && ::fstat(file_.get(), &opened) == 0 &&
               named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
    }

    std::uint64_t size_now() const {
        struct ::stat status {};
        if (::fstat(file_.get(), &status) != 0) fail(errno);
        return static_cast<std::uint64_t>(status.st_size);
    }

    char last_byte(std::uint64_t size) const {
        auto byte = '\n';
        if (again([&] { return ::pread(file_.get(), &byte, 1, static_cast<::off_t>(size - 1)); }) < 0)
            fail(errno);
        return byte;
    }

    // Beyond the process's own limit the system sends SIGXFSZ, which ends the host.
    void respect_size_limit(std::uint64_t size) const {
        ::rlimit limit{};
        if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            size > limit.rlim_cur)
            fail(EFBIG);
    }

    // A line that did not fit is taken back, where nobody else can have added one behind it.
    void write(std::string_view line, std::uint64_t size_before, bool alone) const {
        auto rest = line;
        while (!rest.empty()) {
            auto const written = again([&] { return ::write(file_.get(), rest.data(), rest.size()); });
            if (written < 0) {
                auto const error = errno;
                if (alone && rest.size() < line.size()) [[maybe_unused]]
                    auto const cut = ::ftruncate(file_.get(), static_cast<::off_t>(size_before));
                fail(error);
            }
            rest.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void sync(int descriptor) const {
        if (again([&] { return ::fsync(descriptor); }) != 0) fail(errno);
    }

    // Without it, a new file may be gone after a power cut.
    void sync_directory() const {
        auto const directory = std::filesystem::path{path_}.parent_path();
        FileDescriptor const opened{
            again([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); })};
        if (!opened.valid()) fail(errno);
        sync(opened.get());
    }

    template <typename Call>
    static auto again(Call call) -> decltype(call()) {
        auto result = call();
        while (result < 0 && errno == EINTR)
            result = call();
        return result;
    }

    [[noreturn]] void fail(int error, std::string const& why = {}) const {
        throw std::system_error{error, std::generic_category(),
                                "cannot append to " + shown_text(path_) + (why.empty() ? "" : ": " + why)};
    }

    std::string path_;
    bool sync_;
    std::chrono::nanoseconds lock_timeout_;
    std::mutex mutex_{};
    FileDescriptor file_{};
    ::pid_t process_ = -1;
    bool stuck_ = false;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
