// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_FILESYSTEM_SANDBOX_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_FILESYSTEM_SANDBOX_SUPPORT_HPP

#include <longshore/detail/file_calls.hpp>
#include <longshore/filesystem/sandbox_directory.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// What the tests of sandboxes share: each way of opening things, a place with something outside, and looks at
// what is left.
namespace sandbox_support {

using longshore::SandboxDirectory;
using longshore::SandboxEscape;
using longshore::SandboxEscapeError;
using longshore::detail::FileCalls;
using longshore::detail::FileFeatures;

struct Way {
    std::string_view name;
    FileFeatures features;
};

inline std::vector<Way> every_way() {
    return {{"openat2", {true, true}},
            {"a walk", {false, true}},
            {"openat2 without path descriptors", {true, false}},
            {"a walk without path descriptors", {false, false}}};
}

inline std::string content(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline ::mode_t mode_of(std::string const& path) {
    struct ::stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

inline std::vector<std::string> names_in(std::string const& directory) {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator{directory})
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

inline std::size_t open_descriptors() { return names_in("/proc/self/fd").size(); }

// A sandbox, and beside it a directory that nothing may reach.
class Place {
public:
    Place() {
        directory_.make("sandbox");
        directory_.make("outside");
        directory_.write("outside/secret", "secret");
    }

    std::string sandbox(std::string const& name = "") const { return under("sandbox", name); }
    std::string outside(std::string const& name = "") const { return under("outside", name); }

    std::string make(std::string const& name) const { return directory_.make("sandbox/" + name); }
    std::string write(std::string const& name, std::string const& text, ::mode_t mode = 0644) const {
        return directory_.write("sandbox/" + name, text, mode);
    }
    void link(std::string const& name, std::string const& to) const {
        std::filesystem::create_symlink(to, sandbox(name));
    }

    bool outside_is_untouched() const {
        return names_in(outside()) == Names{"secret"} && content(outside("secret")) == "secret";
    }

private:
    std::string under(std::string const& part, std::string const& name) const {
        return directory_.path() + '/' + part + (name.empty() ? "" : '/' + name);
    }

    support::TemporaryDirectory directory_{};
};

// A file system of its own on a directory, for as long as this lives. Only root can have one.
class Mounted {
public:
    explicit Mounted(std::string path, std::string const& options = "", unsigned long flags = 0)
        : path_{std::move(path)}, mounted_{::mount("tmpfs", path_.c_str(), "tmpfs", flags, options.c_str()) ==
                                           0} {
        if (!mounted_) std::printf("no tmpfs here, only root can mount one: %s\n", std::strerror(errno));
    }
    Mounted(Mounted const&) = delete;
    Mounted& operator=(Mounted const&) = delete;
    ~Mounted() {
        if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
    }

    explicit operator bool() const noexcept { return mounted_; }

    bool make_read_only() const {
        return ::mount(nullptr, path_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    std::string path_;
    bool mounted_;
};

inline void make_socket(std::string const& path) {
    auto const descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    CHECK(::bind(descriptor, reinterpret_cast<::sockaddr const*>(&address), sizeof address) == 0);
    ::close(descriptor);
}

// The reason of the escape that `action` is refused for; none when it is not.
template <typename Action>
std::optional<SandboxEscape> escape_of(Action action) {
    try {
        action();
    } catch (SandboxEscapeError const& error) {
        return error.reason();
    }
    return std::nullopt;
}

// The number of the system's error that `action` throws; 0: none.
template <typename Action>
int system_error_of(Action action) {
    try {
        action();
    } catch (std::system_error const& error) {
        return error.code().value();
    }
    return 0;
}

// The text of what `action` throws.
template <typename Action>
std::string text_of(Action action) {
    try {
        action();
    } catch (std::exception const& error) {
        return error.what();
    }
    return {};
}

inline bool holds(std::string const& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

inline std::string const stray_name = ".longshore-0123456789abcdef.part";

} // namespace sandbox_support

#endif
