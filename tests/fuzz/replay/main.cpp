// SPDX-License-Identifier: BSL-1.0
// Feeds files to a fuzz target that was built without libFuzzer: each argument is a file or a folder of
// files.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

std::size_t replay(std::filesystem::path const& path) {
    if (std::filesystem::is_directory(path)) {
        std::size_t count = 0;
        for (auto const& entry : std::filesystem::directory_iterator{path})
            count += replay(entry.path());
        return count;
    }
    std::ifstream file{path, std::ios::binary};
    std::string const bytes{std::istreambuf_iterator<char>{file}, {}};
    std::printf("%s: %zu bytes\n", path.c_str(), bytes.size());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
    return 1;
}

} // namespace

int main(int count, char** arguments) {
    std::size_t files = 0;
    for (int index = 1; index < count; ++index)
        files += replay(arguments[index]);
    std::printf("%zu inputs\n", files);
    return files == 0 ? 1 : 0;
}
