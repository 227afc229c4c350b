// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_SUPPORT_TEMPORARY_DIRECTORY_HPP
#define LONGSHORE_TESTS_SUPPORT_TEMPORARY_DIRECTORY_HPP

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include <sys/stat.h>

namespace support {

// A directory that everybody may enter, and that goes with this object.
class TemporaryDirectory {
public:
    TemporaryDirectory() {
        auto name = (std::filesystem::temp_directory_path() / "longshore-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"cannot make " + name};
        path_ = name;
        ::chmod(path_.c_str(), 0755);
    }
    TemporaryDirectory(TemporaryDirectory const&) = delete;
    TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string const& path() const noexcept { return path_; }

    std::string make(std::string const& name) const {
        std::filesystem::create_directory(path_ + '/' + name);
        return path_ + '/' + name;
    }

    // Returns the file's path. The mode is exactly this one.
    std::string write(std::string const& name, std::string const& text, ::mode_t mode = 0644) const {
        auto const file = path_ + '/' + name;
        std::ofstream{file, std::ios::binary} << text;
        ::chmod(file.c_str(), mode);
        return file;
    }

    std::string read(std::string const& name) const {
        std::ifstream file{path_ + '/' + name, std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

private:
    std::string path_{};
};

} // namespace support

#endif
