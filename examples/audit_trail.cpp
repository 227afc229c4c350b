// SPDX-License-Identifier: BSL-1.0
// Prints an audit trail as a table: what ran, when, where and who chose that, how long, and what went wrong.
//
//     audit_trail FILE
//
// A line that is no record, such as the last one of a program that is being killed or of a disk that is full,
// is told on stderr and passed over.
#include <longshore/longshore.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;

namespace {

using Row = std::array<std::string, 6>;

Row const titles{"WHEN", "TOOL", "ENVIRONMENT", "EXIT", "TIME", "WHAT WENT WRONG"};

// Trails hold what tools said. A terminal must not take any of it for a command.
std::string shown(json::value const& text) {
    std::string line{text.as_string()};
    for (auto& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    return line;
}

// `container (plan)`: where it ran, and the level that chose it.
std::string environment(json::object const& record) {
    if (record.at("environment").is_null()) return "-";
    return shown(record.at("environment")) + " (" + shown(record.at("decided_by")) + ")";
}

// Only a container has a process to exit; metadata that was too long for the trail is no object.
std::string exit_code(json::object const& record) {
    auto const* metadata = record.at("container_metadata").if_object();
    return metadata ? std::to_string(metadata->at("exit_code").as_int64()) : "-";
}

std::string time_taken(json::object const& record) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f ms", record.at("duration_ms").to_number<double>());
    return text.data();
}

std::string what_went_wrong(json::object const& record) {
    if (record.at("success").as_bool()) return {};
    return shown(record.at("failure_kind")) + ": " + shown(record.at("error"));
}

// Empty: the line is no record.
std::optional<Row> read_record(std::string_view line) {
    auto const document = longshore::BoostJson::parse(line);
    if (!document || !document->is_object()) return std::nullopt;
    auto const& record = document->get_object();
    try {
        return Row{shown(record.at("started_at")),
                   shown(record.at("tool_name")),
                   environment(record),
                   exit_code(record),
                   time_taken(record),
                   what_went_wrong(record)};
    } catch (std::exception const&) { // a member is missing or of another kind
        return std::nullopt;
    }
}

std::vector<Row> read_trail(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::runtime_error{"cannot open '" + path + "'"};
    std::vector<Row> rows{titles};
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        if (auto row = read_record(line))
            rows.push_back(*std::move(row));
        else
            std::cerr << "audit_trail: line " << number << " is " << (file.eof() ? "unfinished" : "no record")
                      << '\n';
    }
    if (file.bad()) throw std::runtime_error{"cannot read '" + path + "'"};
    return rows;
}

void print(std::vector<Row> const& rows) {
    std::array<std::size_t, titles.size() - 1> widths{}; // the last column is as wide as it likes
    for (auto const& row : rows)
        for (std::size_t column = 0; column < widths.size(); ++column)
            widths[column] = std::max(widths[column], row[column].size());
    for (auto const& row : rows) {
        for (std::size_t column = 0; column < widths.size(); ++column)
            std::cout << std::left << std::setw(static_cast<int>(widths[column])) << row[column] << "  ";
        std::cout << row.back() << '\n';
    }
}

} // namespace

int main(int count, char** arguments) {
    try {
        if (count != 2) throw std::runtime_error{"usage: audit_trail FILE"};
        print(read_trail(arguments[1]));
        return std::cout.flush() ? 0 : 1;
    } catch (std::exception const& failure) {
        std::cerr << "audit_trail: " << failure.what() << '\n';
        return 2;
    }
}
