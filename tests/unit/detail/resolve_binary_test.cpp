// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/resolve_binary.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

using longshore::detail::resolve_binary;

namespace {

class Folders {
public:
    Folders() {
        std::string pattern = (std::filesystem::temp_directory_path() / "longshore-resolve-XXXXXX").string();
        root_ = ::mkdtemp(pattern.data());
    }
    Folders(Folders const&) = delete;
    Folders& operator=(Folders const&) = delete;
    ~Folders() { std::filesystem::remove_all(root_); }

    std::string folder(std::string const& name) const {
        std::filesystem::create_directories(root_ + '/' + name);
        return root_ + '/' + name;
    }
    std::string file(std::string const& name, ::mode_t mode) const {
        auto const path = root_ + '/' + name;
        std::ofstream{path} << "#!/bin/sh\n";
        ::chmod(path.c_str(), mode);
        return path;
    }

private:
    std::string root_;
};

} // namespace

TEST_CASE("A program is the first executable regular file of its name in the search path") {
    Folders const folders;
    auto const path = folders.folder("a") + ':' + folders.folder("b") + ':' + folders.folder("c") +
                      "/:" + folders.folder("d");
    folders.folder("a/tool");
    folders.file("b/tool", 0644);
    auto const expected = folders.file("c/tool", 0755);
    folders.file("d/tool", 0755);
    CHECK(resolve_binary("tool", path) == expected);
    CHECK(resolve_binary("other", path) == std::nullopt);
}

TEST_CASE("A link to a program is a program, and a link to nothing is none") {
    Folders const folders;
    auto const path = folders.folder("a");
    ::symlink("/bin/sh", (path + "/shell").c_str());
    ::symlink("/does/not/exist", (path + "/nothing").c_str());
    CHECK(resolve_binary("shell", path) == path + "/shell");
    CHECK(resolve_binary("nothing", path) == std::nullopt);
}

TEST_CASE("Relative and empty entries of a search path are skipped") {
    Folders const folders;
    auto const path = folders.folder("a");
    folders.file("a/tool", 0755);
    auto const before = std::filesystem::current_path();
    std::filesystem::current_path(path);
    for (auto const* relative : {"", ":", "::", ".", ".:", "../a", "./"}) {
        CAPTURE(relative);
        CHECK(resolve_binary("tool", relative) == std::nullopt);
    }
    CHECK(resolve_binary("tool", ".:" + path + ":") == path + "/tool");
    std::filesystem::current_path(before);
}

TEST_CASE("A name with a slash is taken only when it is absolute") {
    CHECK(resolve_binary("/bin/sh", "") == std::optional<std::string>{"/bin/sh"});
    CHECK(resolve_binary("/bin", "/") == std::nullopt);
    CHECK(resolve_binary("/bin/no such program", "/bin") == std::nullopt);
    CHECK(resolve_binary("./sh", "/bin") == std::nullopt);
    CHECK(resolve_binary("bin/sh", "/") == std::nullopt);
    CHECK(resolve_binary("", "/bin") == std::nullopt);
    CHECK(resolve_binary(".", "/bin") == std::nullopt);
    CHECK(resolve_binary(std::string{"sh\0x", 4}, "/bin") == std::nullopt);
}
