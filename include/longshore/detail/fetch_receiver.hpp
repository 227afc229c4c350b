// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FETCH_RECEIVER_HPP
#define LONGSHORE_DETAIL_FETCH_RECEIVER_HPP

#include <longshore/config.hpp>
#include <longshore/container/sync_options.hpp>
#include <longshore/container/sync_report.hpp>
#include <longshore/detail/fetch_names.hpp>
#include <longshore/detail/fetch_problem.hpp>
#include <longshore/detail/fetch_reader.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/sync_path.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_directory.hpp>
#include <longshore/filesystem/sandbox_file.hpp>
#include <longshore/launch/request.hpp>

#if !LONGSHORE_WINDOWS

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0::detail {

// What a call is to fetch.
struct FetchPlan {
    std::vector<SyncPath> paths{}; // in the order of the question; of a tree, one
    bool tree = false;
    SyncReport report{};               // of a list, with an entry for each path
    std::vector<std::size_t> places{}; // of a list: where in the report each path has its entry
};

// Writes to the sandbox what a container answers, and believes none of it: names, sizes, counts and the order
// of things are checked as they come. What one file has for a problem is its own; an answer that no honest
// container gives ends the call.
//
// Memory: one record, and what the report holds.
class FetchReceiver {
public:
    FetchReceiver(SandboxDirectory const& sandbox, FetchPlan plan, SyncLimits const& limits, std::string mark,
                  std::function<void(SyncProgress const&)> on_progress)
        : sandbox_{sandbox}, plan_{std::move(plan)}, limits_{limits},
          on_progress_{std::move(on_progress)}, names_{limits}, reader_{std::move(mark)} {}

    // The sink of a launch.
    Flow take(std::string_view bytes) {
        try {
            if (!is_over()) reader_.feed(bytes, *this);
        } catch (ContainerExecutionError const& error) {
            end_early(error.what(), "Something in the container is broken, or tries to harm this host.");
        } catch (...) {
            thrown_ = std::current_exception();
        }
        return is_over() ? Flow::stop : Flow::go_on;
    }

    // Whether the answer came to its end, or no more of it was wanted.
    bool is_complete() const noexcept { return is_over() || (ended_ && reader_.is_between_records()); }

    // Abandons what was not finished. Throws what the observer threw.
    SyncReport finish() && {
        file_.reset();
        if (thrown_) std::rethrow_exception(thrown_);
        return std::move(plan_.report);
    }

    // --- as the handler of the reader

    void content(std::string_view bytes) {
        if (thrown_) return;
        progress_.file_bytes += bytes.size();
        progress_.bytes += bytes.size();
        if (file_) on_host([&] { file_->append(bytes); });
        tell_progress();
    }

    void record(FetchRecord const& record) {
        if (thrown_) return;
        if (ended_) distrust_answer("something follows its end");
        auto const is_verdict = record.word == FetchWord::whole || record.word == FetchWord::changed;
        if (is_verdict != reading_) distrust_answer("a file's end is not where it was announced");
        reading_ = false;
        switch (record.word) {
        case FetchWord::total:
            progress_.total = record.number;
            break;
        case FetchWord::file:
            return begin_file(record);
        case FetchWord::whole:
            return end_file();
        case FetchWord::directory:
            return make_directory(record);
        case FetchWord::many:
            return end_by_limit(" holds more than " + std::to_string(limits_.entries) + " entries");
        case FetchWord::much:
            return end_by_limit(" holds more than " + std::to_string(limits_.total_bytes) + " bytes");
        case FetchWord::done:
            if (next_ != plan_.places.size()) distrust_answer("files are missing in it");
            ended_ = true;
            break;
        default:
            refuse(record);
        }
    }

private:
    bool is_over() const noexcept { return thrown_ || distrusted_ || hopeless_; }
    SyncedFile& entry() { return plan_.report.files[entry_]; }

    void begin_entry(FetchRecord const& record) {
        if (plan_.tree) return add_tree_entry(record);
        if (!record.name.empty() || next_ == plan_.places.size())
            distrust_answer("it holds a file that was not asked for");
        path_ = plan_.paths[next_].relative;
        entry_ = plan_.places[next_++];
    }

    void add_tree_entry(FetchRecord const& record) {
        auto const& root = plan_.paths.front();
        SyncedFile file{.container_path = root.container, .host_path = root.host};
        path_ = root.relative;
        auto const is_root = std::exchange(at_root_, false) && record.word != FetchWord::file;
        if (!is_root || !record.name.empty()) {
            names_.accept(record.name);
            for (auto* const path : {&path_, &file.container_path, &file.host_path})
                path->append("/").append(record.name);
        }
        entry_ = plan_.report.files.size();
        plan_.report.files.push_back(std::move(file));
    }

    void begin_file(FetchRecord const& record) {
        if (record.number > limits_.file_bytes) distrust_answer("a file is beyond the limit of bytes");
        if (record.number > limits_.total_bytes - announced_)
            distrust_answer("its files are beyond the limit of bytes together");
        announced_ += record.number;
        begin_entry(record);
        reading_ = true;
        progress_.file_bytes = 0;
        progress_.file_total = record.number;
        on_host([&] { file_.emplace(sandbox_.begin_file(path_, record.number)); });
        tell_progress();
    }

    // The content of a file that failed on the host was passed over.
    void end_file() {
        if (!file_ || !on_host([&] { file_->finish(); })) return;
        file_.reset();
        entry().problem = SyncProblem::none;
        entry().error.clear();
        entry().size = progress_.file_total;
        plan_.report.bytes += progress_.file_total;
        ++progress_.files;
        tell_progress();
    }

    void make_directory(FetchRecord const& record) {
        if (!plan_.tree) distrust_answer("it holds a directory that was not asked for");
        begin_entry(record);
        if (!on_host([&] { sandbox_.create_directory(path_); })) return;
        plan_.report.files.pop_back();
        ++plan_.report.directories;
    }

    void refuse(FetchRecord const& record) {
        file_.reset();
        if (record.word != FetchWord::changed) begin_entry(record);
        if (record.word == FetchWord::large) progress_.total -= (std::min)(progress_.total, record.number);
        set_problem(entry(), record, limits_, plan_.tree && entry().host_path == plan_.paths.front().host);
    }

    // False: the host refused, which is the entry's problem then.
    template <typename Step>
    bool on_host(Step step) {
        try {
            step();
            return true;
        } catch (SandboxEscapeError const& error) {
            entry().escape = error.reason();
            refused_by_host(SyncProblem::refused, error.what());
        } catch (ValueError const& error) {
            refused_by_host(SyncProblem::refused, error.what());
        } catch (std::runtime_error const& error) { // what the system says is one
            refused_by_host(SyncProblem::not_written, error.what());
        }
        return false;
    }

    void refused_by_host(SyncProblem problem, char const* text) {
        file_.reset();
        entry().problem = problem;
        entry().error = text;
        hopeless_ = !plan_.tree && next_ == plan_.places.size();
    }

    void end_by_limit(std::string const& what) {
        ended_ = true;
        auto const place = plan_.tree ? shown_text(plan_.paths.front().container) : "the list of files";
        plan_.report.failure = {FailureKind::output_incomplete, place + what + ", which is the limit",
                                "Raise SyncLimits if it is meant to hold as much."};
    }

    void end_early(std::string text, std::string hint) {
        distrusted_ = true;
        plan_.report.failure = {FailureKind::output_incomplete, std::move(text), std::move(hint)};
    }

    void tell_progress() {
        if (!on_progress_) return;
        progress_.file = entry().container_path;
        try {
            on_progress_(progress_);
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }

    SandboxDirectory const& sandbox_;
    FetchPlan plan_;
    SyncLimits limits_;
    std::function<void(SyncProgress const&)> on_progress_;
    FetchNames names_;
    FetchReader reader_;
    SyncProgress progress_{};
    std::optional<SandboxFile> file_{}; // empty while the content of a file that failed is passed over
    std::string path_{};                // of the present entry, in the sandbox
    std::size_t entry_ = 0;             // in the report
    std::size_t next_ = 0;              // of a list: the path whose turn it is
    std::uint64_t announced_ = 0;
    bool reading_ = false;  // content, and then what it is worth
    bool at_root_ = true;   // of a tree: nothing was told yet
    bool ended_ = false;    // the last record came
    bool hopeless_ = false; // the last file that was wanted cannot be written
    bool distrusted_ = false;
    std::exception_ptr thrown_{};
};

} // namespace longshore::inline v0::detail

#endif
#endif
