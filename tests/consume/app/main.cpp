// SPDX-License-Identifier: BSL-1.0
// A program of two source files that uses the library: paths here, JSON in results.cpp.
#include <longshore/path_mapper.hpp>
#include <longshore/version.hpp>

#include <cstdio>
#include <string>

std::string word_count(std::string const& tool_output);

int main() {
    longshore::PathMapper const mapper{"/home/me/project", "/workspace"};
    auto const path = mapper.host_to_container("/home/me/project/notes.txt");
    auto const words = word_count(R"({"words": "42"})");
    std::printf("%s %s %s\n", LONGSHORE_VERSION_STRING, path.c_str(), words.c_str());
    return path == "/workspace/notes.txt" && words == "42" ? 0 : 1;
}
