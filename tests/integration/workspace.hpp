// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_WORKSPACE_HPP
#define LONGSHORE_TESTS_INTEGRATION_WORKSPACE_HPP

#include <integration/host.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace longshore_test {

// A folder of this host that tools work on, and a second name for it; both are gone with the object. Anyone
// may write to it, as tools may run as any user.
class Workspace {
public:
    Workspace() : base_{std::filesystem::temp_directory_path() / unique_name("longshore-test")} {
        std::filesystem::create_directories(folder_);
        std::filesystem::permissions(folder_, std::filesystem::perms::all);
        std::filesystem::create_directory_symlink(folder_, base_ / "alias");
    }
    Workspace(Workspace const&) = delete;
    Workspace& operator=(Workspace const&) = delete;
    ~Workspace() {
        std::error_code failure;
        std::filesystem::remove_all(base_, failure);
    }

    std::string folder() const { return folder_.string(); }
    // The same folder, as tools on the host see it, so that paths are mapped there as elsewhere.
    std::string alias() const { return (base_ / "alias").string(); }
    std::string path(std::string const& name) const { return (folder_ / name).string(); }

    void write(std::string const& name, std::string_view text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream{folder_ / name, std::ios::binary} << text;
    }
    void write_program(std::string const& name, std::string_view text) const {
        write(name, text);
        std::filesystem::permissions(folder_ / name, std::filesystem::perms{0755});
    }
    std::string read(std::string const& name) const {
        std::ifstream file{folder_ / name, std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    bool has(std::string const& name) const { return std::filesystem::exists(folder_ / name); }

private:
    std::filesystem::path base_;
    std::filesystem::path folder_ = base_ / "workspace";
};

} // namespace longshore_test

#endif
