// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/sync_report.hpp>

#include <doctest/doctest.h>

#include <string>

using longshore::ContainerExecutionError;
using longshore::ContainerTimeoutError;
using longshore::FailureKind;
using longshore::SandboxEscape;
using longshore::SandboxEscapeError;
using longshore::SyncProblem;
using longshore::SyncReport;

TEST_CASE("a report is good when all came and nothing ended the call") {
    SyncReport report;
    CHECK(report);
    CHECK_NOTHROW(report.require());
    report.files = {{.container_path = "/w/a"}};
    CHECK(report);
    report.files.push_back({.container_path = "/w/b", .problem = SyncProblem::missing, .error = "gone"});
    CHECK_FALSE(report);
    CHECK(report.first_problem() == &report.files[1]);
    report.files.clear();
    report.failure.kind = FailureKind::cancelled;
    CHECK_FALSE(report);
}

TEST_CASE("what a report requires is thrown as its kind, what ended the call first") {
    SyncReport report;
    report.exit_code = 1;
    report.standard_error = "said";
    report.files = {{.problem = SyncProblem::missing, .error = "gone"}};
    try {
        report.require();
        FAIL("nothing was thrown");
    } catch (ContainerExecutionError const& error) {
        CHECK(error.what() == std::string{"gone"});
        CHECK(error.exit_code() == 1);
        CHECK(error.standard_error() == "said");
    }
    report.files.front().escape = SandboxEscape::symbolic_link;
    CHECK_THROWS_AS(report.require(), SandboxEscapeError);
    report.failure = {FailureKind::timed_out, "late", ""};
    CHECK_THROWS_WITH_AS(report.require(), "late", ContainerExecutionError);
    report.passed_deadline = 3;
    CHECK_THROWS_AS(report.require(), ContainerTimeoutError);
}

TEST_CASE("each problem of a file has a name of its own") {
    CHECK(to_string(SyncProblem::none) == "none");
    CHECK(to_string(SyncProblem::changed) == "changed");
    CHECK(to_string(SyncProblem::not_reached) == "not_reached");
    CHECK(to_string(static_cast<SyncProblem>(99)) == "unknown");
}
