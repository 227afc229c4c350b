// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FETCH_QUESTION_HPP
#define LONGSHORE_DETAIL_FETCH_QUESTION_HPP

#include <longshore/container/sync_options.hpp>
#include <longshore/detail/fetch_text.hpp>
#include <longshore/detail/line_counted.hpp>
#include <longshore/launch/guard.hpp>
#include <longshore/launch/request.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace longshore::inline v0::detail {

// What fetch_text is asked: by real launchers as a command with its input, by a mock as it is.
struct FetchQuestion {
    std::string mark{};
    bool tree = false;
    bool totals = false;
    std::vector<std::string> paths{}; // of a tree, one
    SyncLimits limits{};

    std::vector<std::string> arguments() const {
        return {"sh",
                "-c",
                guard::without_comments(fetch_text),
                std::string{name},
                tree ? "tree" : "list",
                shell_number(limits.file_bytes),
                shell_number(limits.total_bytes),
                shell_number(limits.entries),
                shell_number(limits.depth),
                totals ? "totals" : "plain"};
    }

    std::string input() const {
        auto text = mark + '\n';
        if (totals && !tree) text += line_counted(paths) + line_counted(std::string_view{});
        return text + line_counted(paths);
    }

    // The question that a request asks; none for every other request.
    static std::optional<FetchQuestion> of(LaunchRequest const& request) {
        auto const& arguments = request.command.arguments;
        auto const* const input = std::get_if<std::string>(&request.input);
        if (arguments.size() != 10 || arguments[3] != name || input == nullptr) return std::nullopt;
        FetchQuestion question;
        question.tree = arguments[4] == "tree";
        question.totals = arguments[9] == "totals";
        question.limits = {.file_bytes = std::stoull(arguments[5]),
                           .total_bytes = std::stoull(arguments[6]),
                           .entries = static_cast<std::size_t>(std::stoull(arguments[7])),
                           .depth = static_cast<std::size_t>(std::stoull(arguments[8]))};
        std::string_view rest{*input};
        question.mark = take_line(rest);
        question.paths = take_line_counted(rest);
        auto const last = std::find(question.paths.begin(), question.paths.end(), std::string{});
        question.paths.erase(last, question.paths.end());
        return question;
    }

private:
    static constexpr std::string_view name = "longshore-fetch"; // its `$0`

    // Shells count in 64 bits with a sign.
    static std::string shell_number(std::uint64_t number) {
        constexpr std::uint64_t largest = std::uint64_t{1} << 62U;
        return std::to_string((std::min)(number, largest));
    }
};

} // namespace longshore::inline v0::detail

#endif
