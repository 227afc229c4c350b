// SPDX-License-Identifier: BSL-1.0
// The container side of the examples: a small program that serves a registry of tools. It is linked
// statically, so it runs in any image, even an empty one.
//
//     echo '{"path": "/workspace/notes.txt"}' | toolbox word_count
//
// JSON comes on stdin, JSON goes to stdout. A tool that fails says why on stderr and exits with 1; a call
// that makes no sense exits with 2.
#include <longshore/longshore.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <regex.h>

namespace {

namespace filesystem = std::filesystem;
namespace json = boost::json;

// The runner has checked what the schemas below say: required inputs are there, and of their type.
std::string text(json::object const& inputs, std::string_view name) {
    return std::string{inputs.at(name).get_string()};
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
    std::string content{std::istreambuf_iterator<char>{file}, {}};
    if (file.bad()) fail("cannot read", path);
    return content;
}

bool is_text(std::string_view bytes) {
    return longshore::BoostJson::parse(json::serialize(json::value(bytes))).has_value();
}

// JSON is text. In what is not, the bytes that are no UTF-8 become '?'.
std::string as_text(std::string_view bytes) {
    if (is_text(bytes)) return std::string{bytes};
    std::string shown;
    while (!bytes.empty()) {
        auto const first = static_cast<unsigned char>(bytes.front());
        auto const character = bytes.substr(0, first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);
        auto const good = is_text(character);
        shown += good ? character : "?";
        bytes.remove_prefix(good ? character.size() : 1);
    }
    return shown;
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
    Pattern(std::string const& expression, bool ignore_case) {
        auto const flags = REG_EXTENDED | REG_NOSUB | (ignore_case ? REG_ICASE : 0);
        if (auto const code = ::regcomp(&compiled_, expression.c_str(), flags); code != 0) {
            char reason[256];
            ::regerror(code, &compiled_, reason, sizeof reason);
            throw std::invalid_argument{"pattern '" + expression + "': " + reason};
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

json::object file_read(json::object const& inputs) {
    auto const path = text(inputs, "path");
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
    auto const path = filesystem::path{text(inputs, "path")};
    auto const content = text(inputs, "content");
    if (path.has_parent_path()) filesystem::create_directories(path.parent_path());
    std::ofstream file{path, std::ios::binary | std::ios::trunc};
    if (!file) fail("cannot write", path);
    file << content;
    file.close();
    if (!file) fail("cannot write", path);
    return {{"path", path.string()}, {"bytes", content.size()}};
}

json::object grep(json::object const& inputs) {
    auto const* ignore_case = inputs.if_contains("ignore_case");
    Pattern const pattern{text(inputs, "pattern"), ignore_case && ignore_case->get_bool()};
    auto const limit = number_or(inputs, "max_matches", 100);
    auto const files = files_below(text(inputs, "path"));
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
    for (auto const& file : files_below(text(inputs, "path")))
        files.push_back({{"path", file.string()}, {"bytes", filesystem::file_size(file)}});
    return {{"files", std::move(files)}};
}

json::object word_count(json::object const& inputs) {
    std::uint64_t lines = 0, words = 0, bytes = 0;
    json::array files;
    for (auto const& file : files_below(text(inputs, "path"))) {
        auto const content = read_file(file);
        bool in_word = false;
        for (char const byte : content) {
            lines += byte == '\n';
            auto const is_space = byte == ' ' || (byte >= '\t' && byte <= '\r');
            words += !is_space && !in_word;
            in_word = !is_space;
        }
        bytes += content.size();
        files.push_back(json::string(file.string()));
    }
    return {{"lines", lines}, {"words", words}, {"bytes", bytes}, {"files", std::move(files)}};
}

json::object schema(json::object properties, json::array required) {
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

void register_tools(longshore::ToolRegistry& tools) {
    json::object const string{{"type", "string"}}, boolean{{"type", "boolean"}};
    json::object const whole{{"type", "integer"}, {"minimum", 0}};
    tools.add({.name = "file_read",
               .description = "the beginning of a file",
               .input_schema = schema({{"path", string}, {"max_bytes", whole}}, {"path"}),
               .handler = file_read});
    tools.add({.name = "file_write",
               .description = "write a file, and the folders above it",
               .input_schema = schema({{"path", string}, {"content", string}}, {"path", "content"}),
               .capability = {.writes = true},
               .handler = file_write});
    tools.add({.name = "grep",
               .description = "lines of files that match an extended regular expression",
               .input_schema = schema(
                   {{"path", string}, {"pattern", string}, {"ignore_case", boolean}, {"max_matches", whole}},
                   {"path", "pattern"}),
               .handler = grep});
    tools.add({.name = "list_files",
               .description = "the regular files of a folder, and their sizes",
               .input_schema = schema({{"path", string}}, {"path"}),
               .handler = list_files});
    tools.add({.name = "word_count",
               .description = "how many lines, words and bytes files hold",
               .input_schema = schema({{"path", string}}, {"path"}),
               .handler = word_count});
}

int usage(longshore::ToolRegistry const& tools) {
    std::cerr << "usage: toolbox NAME   (JSON on stdin, JSON on stdout)\n";
    for (auto const& tool : tools.list())
        std::cerr << "  " << tool->name << ": " << tool->description << '\n';
    return 2;
}

} // namespace

int main(int count, char** arguments) {
    longshore::ToolRegistry tools;
    register_tools(tools);
    if (count != 2 || !tools.find(arguments[1])) return usage(tools);
    longshore::ToolRunner runner{tools};
    std::string const inputs{std::istreambuf_iterator<char>{std::cin}, {}};
    auto const result = runner.execute_json(arguments[1], inputs);
    if (!result) {
        std::cerr << "toolbox: " << result.error() << '\n';
        return result.failure_kind() == longshore::FailureKind::invalid_input ? 2 : 1;
    }
    std::cout << result.output() << '\n' << std::flush;
    return std::cout ? 0 : 1;
}
