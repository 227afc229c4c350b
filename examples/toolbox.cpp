// SPDX-License-Identifier: BSL-1.0
// The container side of the examples: a small program that has the tools inside. It is linked statically, so
// it runs in any image, even an empty one.
//
//     echo '{"path": "/workspace/notes.txt"}' | toolbox word_count
//
// JSON comes on stdin, JSON goes to stdout. A tool that fails says why on stderr and exits with 1; a call
// that makes no sense exits with 2.
#include <boost/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <regex.h>

namespace {

namespace filesystem = std::filesystem;
namespace json = boost::json;

// --- what the tools are made of
// ------------------------------------------------------------------------------

std::string required_text(json::object const& inputs, std::string_view name) {
    auto const* value = inputs.if_contains(name);
    if (value == nullptr) throw std::invalid_argument{"missing input '" + std::string{name} + "'"};
    if (!value->is_string())
        throw std::invalid_argument{"input '" + std::string{name} + "' must be a string"};
    return std::string{value->get_string()};
}

bool flag(json::object const& inputs, std::string_view name) {
    auto const* value = inputs.if_contains(name);
    if (value == nullptr) return false;
    if (!value->is_bool())
        throw std::invalid_argument{"input '" + std::string{name} + "' must be true or false"};
    return value->get_bool();
}

std::uint64_t number_or(json::object const& inputs, std::string_view name, std::uint64_t otherwise) {
    auto const* value = inputs.if_contains(name);
    if (value == nullptr) return otherwise;
    boost::system::error_code error;
    auto const number = value->to_number<std::uint64_t>(error);
    if (error)
        throw std::invalid_argument{"input '" + std::string{name} + "' must be a whole number from 0 on"};
    return number;
}

[[noreturn]] void fail(std::string const& what, filesystem::path const& path) {
    throw std::runtime_error{what + " '" + path.string() + "': " + std::strerror(errno)};
}

std::string read_file(filesystem::path const& path) {
    if (filesystem::is_directory(path)) throw std::runtime_error{"'" + path.string() + "' is a directory"};
    std::ifstream file{path, std::ios::binary};
    if (!file) fail("cannot open", path);
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (file.bad()) fail("cannot read", path);
    return text;
}

bool is_text(std::string_view bytes) {
    json::error_code error;
    json::parse(json::serialize(json::value(bytes)), error);
    return !error;
}

// JSON is text. In what is not, the bytes that are no UTF-8 become '?'.
std::string as_text(std::string_view bytes) {
    if (is_text(bytes)) return std::string{bytes};
    std::string text;
    while (!bytes.empty()) {
        auto const first = static_cast<unsigned char>(bytes.front());
        auto const character = bytes.substr(0, first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);
        auto const good = is_text(character);
        text += good ? character : "?";
        bytes.remove_prefix(good ? character.size() : 1);
    }
    return text;
}

// Every regular file at or below `path`, in order; links are not followed.
std::vector<filesystem::path> files_below(filesystem::path const& path) {
    if (!filesystem::exists(path)) throw std::runtime_error{"there is no '" + path.string() + "'"};
    if (!filesystem::is_directory(path)) return {path};
    std::vector<filesystem::path> files;
    auto const options = filesystem::directory_options::skip_permission_denied;
    for (auto const& entry : filesystem::recursive_directory_iterator{path, options})
        if (entry.symlink_status().type() == filesystem::file_type::regular) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class Pattern {
public:
    Pattern(std::string const& text, bool ignore_case) {
        auto const flags = REG_EXTENDED | REG_NOSUB | (ignore_case ? REG_ICASE : 0);
        if (auto const code = ::regcomp(&compiled_, text.c_str(), flags); code != 0) {
            char reason[256];
            ::regerror(code, &compiled_, reason, sizeof reason);
            throw std::invalid_argument{"pattern '" + text + "': " + reason};
        }
    }
    Pattern(Pattern const&) = delete;
    Pattern& operator=(Pattern const&) = delete;
    ~Pattern() { ::regfree(&compiled_); }

    bool is_in(std::string const& line) const {
        return ::regexec(&compiled_, line.c_str(), 0, nullptr, 0) == 0;
    }

private:
    ::regex_t compiled_;
};

// --- the tools
// -----------------------------------------------------------------------------------------------

json::object file_read(json::object const& inputs) {
    auto const path = required_text(inputs, "path");
    auto const limit = number_or(inputs, "max_bytes", 1 << 20);
    auto const bytes = read_file(path);
    auto const kept = std::string_view{bytes}.substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(limit, bytes.size())));
    return {{"path", path},
            {"content", as_text(kept)},
            {"bytes", bytes.size()},
            {"truncated", kept.size() < bytes.size()}};
}

json::object file_write(json::object const& inputs) {
    auto const path = filesystem::path{required_text(inputs, "path")};
    auto const content = required_text(inputs, "content");
    if (path.has_parent_path()) filesystem::create_directories(path.parent_path());
    std::ofstream file{path, std::ios::binary | std::ios::trunc};
    if (!file) fail("cannot write", path);
    file << content;
    file.close();
    if (!file) fail("cannot write", path);
    return {{"path", path.string()}, {"bytes", content.size()}};
}

json::object grep(json::object const& inputs) {
    Pattern const pattern{required_text(inputs, "pattern"), flag(inputs, "ignore_case")};
    auto const limit = number_or(inputs, "max_matches", 100);
    auto const files = files_below(required_text(inputs, "path"));
    json::array matches;
    std::uint64_t found = 0;
    for (auto const& file : files) {
        std::ifstream lines{file, std::ios::binary};
        std::string line;
        for (std::uint64_t number = 1; std::getline(lines, line); ++number) {
            if (!pattern.is_in(line) || ++found > limit) continue;
            matches.push_back({{"path", file.string()}, {"line", number}, {"text", as_text(line)}});
        }
    }
    return {{"matches", std::move(matches)}, {"match_count", found}, {"files_searched", files.size()}};
}

json::object list_files(json::object const& inputs) {
    json::array files;
    for (auto const& file : files_below(required_text(inputs, "path")))
        files.push_back({{"path", file.string()}, {"bytes", filesystem::file_size(file)}});
    return {{"files", std::move(files)}};
}

json::object word_count(json::object const& inputs) {
    std::uint64_t lines = 0, words = 0, bytes = 0;
    json::array files;
    for (auto const& file : files_below(required_text(inputs, "path"))) {
        auto const text = read_file(file);
        bool in_word = false;
        for (char const byte : text) {
            lines += byte == '\n';
            auto const is_space = byte == ' ' || (byte >= '\t' && byte <= '\r');
            words += !is_space && !in_word;
            in_word = !is_space;
        }
        bytes += text.size();
        files.push_back(json::string(file.string()));
    }
    return {{"lines", lines}, {"words", words}, {"bytes", bytes}, {"files", std::move(files)}};
}

std::map<std::string_view, std::function<json::object(json::object const&)>> const tools = {
    {"file_read", file_read},
    {"file_write", file_write},
    {"grep", grep},
    {"list_files", list_files},
    {"word_count", word_count}};

int usage() {
    std::cerr << "usage: toolbox NAME   (JSON on stdin, JSON on stdout)\ntools:";
    for (auto const& [name, tool] : tools)
        std::cerr << ' ' << name;
    std::cerr << '\n';
    return 2;
}

} // namespace

int main(int count, char** arguments) {
    auto const tool = count == 2 ? tools.find(arguments[1]) : tools.end();
    if (tool == tools.end()) return usage();
    std::string const text{std::istreambuf_iterator<char>{std::cin}, {}};
    json::error_code error;
    auto const inputs = json::parse(text, error);
    if (error || !inputs.is_object()) {
        std::cerr << "toolbox: stdin must be one JSON object\n";
        return 2;
    }
    try {
        std::cout << tool->second(inputs.get_object()) << '\n' << std::flush;
        return std::cout ? 0 : 1;
    } catch (std::exception const& failure) {
        std::cerr << tool->first << ": " << failure.what() << '\n';
        return 1;
    }
}
