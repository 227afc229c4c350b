// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTING_MOCK_FILES_HPP
#define LONGSHORE_TESTING_MOCK_FILES_HPP

#include <longshore/detail/fetch_question.hpp>
#include <longshore/detail/fetch_reader.hpp>
#include <longshore/detail/lexical_path.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/testing/mock_call.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// The files of a container that is not there: what `sync_results_to_host` and its like are answered.
///
/// A value type; thread safe as a `std::map` is.
class MockFiles {
public:
    /// There is such a file now, and the directories that lead to it. The path is absolute and resolved.
    void hold(std::string container_path, std::string bytes) {
        files_.insert_or_assign(std::move(container_path), std::move(bytes));
    }

    bool empty() const noexcept { return files_.empty(); }

    /// What the container does about this request; none for a request that asks for no files.
    std::optional<MockCall> answer(LaunchRequest const& request) const {
        auto const question = detail::FetchQuestion::of(request);
        if (!question) return std::nullopt;
        Answer answer{*question, files_};
        return answer.call();
    }

private:
    using Files = std::map<std::string, std::string>;

    // One answer on its way. It refers to question and files.
    class Answer {
    public:
        Answer(detail::FetchQuestion const& question, Files const& files)
            : question_{question}, files_{files} {}

        MockCall call() {
            if (question_.totals) say(detail::FetchWord::total, total(), {});
            for (auto const& path : question_.paths)
                question_.tree ? tree(path) : list(path);
            if (!ended_) say(detail::FetchWord::done, count_, {});
            return MockCall{}.prints(std::move(text_)).exits(refused_ ? 1 : 0);
        }

    private:
        bool is_directory(std::string const& path) const {
            auto const below = files_.lower_bound(path + '/');
            return below != files_.end() && below->first.starts_with(path + '/');
        }

        std::uint64_t total() const {
            std::uint64_t sum = 0;
            for (auto const& [path, bytes] : files_)
                for (auto const& asked : question_.paths)
                    if (question_.tree ? path.starts_with(asked + '/') : path == asked) sum += bytes.size();
            return sum;
        }

        void list(std::string const& path) {
            if (!ended_ && counts()) entry(path, {});
        }

        void entry(std::string const& path, std::string_view name) {
            if (auto const file = files_.find(path); file != files_.end())
                send(file->second, name);
            else
                refuse(is_directory(path) ? detail::FetchWord::folder : detail::FetchWord::missing, 0, name);
        }

        void send(std::string const& bytes, std::string_view name) {
            if (bytes.size() > question_.limits.file_bytes)
                return refuse(detail::FetchWord::large, bytes.size(), name);
            if (bytes.size() > question_.limits.total_bytes - sent_)
                return give_up(detail::FetchWord::much, sent_);
            sent_ += bytes.size();
            say(detail::FetchWord::file, bytes.size(), name);
            text_ += bytes;
            say(detail::FetchWord::whole, 0, {});
        }

        void tree(std::string const& root) {
            if (!is_directory(root))
                return refuse(files_.contains(root) ? detail::FetchWord::special : detail::FetchWord::missing,
                              0, {});
            say(detail::FetchWord::directory, 0, {});
            auto const first = root + '/';
            for (auto at = files_.lower_bound(first); at != files_.end() && at->first.starts_with(first);
                 ++at)
                if (!ended_) below_root(at->first, std::string_view{at->first}.substr(first.size()));
        }

        // The directories that lead to a file are told before it, each once.
        void below_root(std::string const& path, std::string_view name) {
            std::size_t depth = 0;
            for (auto slash = name.find('/'); slash != std::string_view::npos;
                 slash = name.find('/', slash + 1)) {
                auto const directory = name.substr(0, slash);
                auto const is_new = told_.emplace(directory).second;
                if (is_new && !counts()) return;
                auto const is_deep = ++depth > question_.limits.depth;
                if (is_new && is_deep) refuse(detail::FetchWord::deep, 0, directory);
                if (is_deep) return;
                if (is_new) say(detail::FetchWord::directory, 0, directory);
            }
            if (counts()) entry(path, name);
        }

        bool counts() {
            if (++count_ > question_.limits.entries) give_up(detail::FetchWord::many, count_ - 1);
            return !ended_;
        }

        void refuse(detail::FetchWord word, std::uint64_t number, std::string_view name) {
            refused_ = true;
            say(word, number, name);
        }

        void give_up(detail::FetchWord word, std::uint64_t number) {
            refuse(word, number, {});
            ended_ = true;
        }

        void say(detail::FetchWord word, std::uint64_t number, std::string_view name) {
            text_.append(question_.mark).append(" ").append(to_string(word)).append(" ");
            text_.append(std::to_string(number)).append(" ").append(name).push_back('\0');
        }

        detail::FetchQuestion const& question_;
        Files const& files_;
        std::set<std::string, std::less<>> told_{};
        std::string text_{};
        std::uint64_t sent_ = 0;
        std::size_t count_ = 0;
        bool refused_ = false;
        bool ended_ = false;
    };

    Files files_{};
};

} // namespace longshore::inline v0

#endif
