// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/process_launcher.hpp>

#include <support/launch.hpp>
#include <support/process_list.hpp>
#include <unit/detail/process_support.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace std::chrono_literals;
using longshore::Ended;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::ProcessLauncher;
using longshore::Reached;
using process_support::count_open_descriptors;
using process_support::Disposition;
using process_support::has_children;
using process_support::in_own_process;
using support::guarded_and_not;
using support::on_host;
using support::script_on_host;

namespace {

LaunchOutcome run(LaunchRequest const& request) { return ProcessLauncher{}.run(request); }

// What a tool does that is hard to end; SLEEP is put in.
std::vector<std::string> stubborn_scripts(std::string const& sleep) {
    return {"exec sleep " + sleep, "sleep " + sleep + " & sleep " + sleep,
            "trap '' TERM HUP INT; setsid sleep " + sleep + " & sleep " + sleep};
}

} // namespace

TEST_CASE("the command on this host gets its variables, its directory and its limits, guarded or not") {
    for (auto request :
         guarded_and_not(script_on_host("echo \"$A,$PATH,$PWD\"; ulimit -n; ulimit -v; cat"))) {
        CAPTURE(request.guarded);
        request.command.environment = {"A=1", "PATH=/bin"};
        request.command.working_directory = "/usr";
        request.limits = {.memory_bytes = std::uint64_t{1} << 30U, .open_files = 50};
        request.input = "in";
        CHECK(run(request).output.bytes == "1,/bin,/usr\n50\n1048576\nin");
    }
}

TEST_CASE("a command that cannot be started is told, and starts nothing") {
    auto request = on_host({"/no/such/tool"});
    auto const guarded = run(request);
    CHECK(guarded.reached == Reached::directory);
    CHECK(guarded.command_exit == 127);
    CHECK(guarded.everything_killed == true);
    request.guarded = false;
    try {
        run(request);
        FAIL("it was started");
    } catch (std::system_error const& error) {
        CHECK(error.code() == std::errc::no_such_file_or_directory);
        CHECK(std::string{error.what()}.find("/no/such/tool") != std::string::npos);
    }
    request = on_host({"/bin/true"});
    request.command.working_directory = "/no/such/directory";
    CHECK(run(request).reached == Reached::transport);
    request.guarded = false;
    CHECK_THROWS_AS(run(request), std::system_error);
}

TEST_CASE("every fallback of the system runs a call to the same outcome") {
    for (auto const& way : process_support::every_way()) {
        CAPTURE(way.name);
        longshore::BasicProcessLauncher<> launcher{{}, way.features};
        for (auto request : guarded_and_not(script_on_host("cat; echo err >&2; exit 3"))) {
            CAPTURE(request.guarded);
            request.input = std::string(200000, 'x');
            auto const outcome = launcher.run(request);
            CHECK((outcome.output.bytes == std::string(200000, 'x')));
            CHECK(outcome.error.bytes == "err\n");
            CHECK(outcome.exit_code() == 3);
            auto const sleep = support::unique_sleep();
            request.command.arguments.back() = "exec <&-; setsid sleep " + sleep + " & sleep " + sleep;
            request.timeout = 100ms;
            auto const late = launcher.run(request);
            CHECK(late.ended == Ended::timed_out);
            CHECK(late.everything_killed == true);
            CHECK(support::tools_with(sleep).empty());
        }
    }
}

TEST_CASE("nothing is left of a call: no descriptor, no zombie, no child") {
    run(on_host({"/bin/true"})); // what the library keeps for ever, such as a random device, is there now
    auto const before = count_open_descriptors();
    for (auto const& script : {std::string{"exit 0"}, std::string{"kill -KILL $$"},
                               std::string{"exec sleep 1000"}, std::string{"setsid sleep 1000 & exit 1"}})
        for (auto request : guarded_and_not(script_on_host(script))) {
            request.input = std::string(100000, 'x');
            request.timeout = 100ms;
            request.drain_grace = 50ms;
            run(request);
            request.guarded = false;
            request.command.arguments = {"/no/such/tool"};
            CHECK_THROWS_AS(run(request), std::system_error);
        }
    CHECK(count_open_descriptors() == before);
    CHECK_FALSE(has_children());
}

TEST_CASE("a host that ignores SIGCHLD gets the tool's status from the frame, and never an invented one") {
    CHECK(in_own_process([] {
        Disposition const ignored{SIGCHLD, SIG_IGN};
        auto request = script_on_host("trap; exit 7");
        auto const guarded = run(request);
        request.guarded = false;
        auto const plain = run(request);
        return guarded.command_exit == 7 && guarded.everything_killed == true && !guarded.transport_exit &&
               !plain.transport_exit && plain.exit_code() == -1 && plain.ended == Ended::exited;
    }));
}

TEST_CASE("a host that reaps every child itself loses the status of the transport, not the call") {
    CHECK(in_own_process([] {
        std::atomic<bool> over{false};
        std::thread reaper{[&] {
            while (!over)
                if (::waitpid(-1, nullptr, WNOHANG) <= 0) ::poll(nullptr, 0, 1);
        }};
        bool right = true;
        for (int call = 0; call < 20; ++call)
            for (auto const& request : guarded_and_not(script_on_host("echo out; exit 7"))) {
                auto const outcome = run(request);
                right = right && outcome.output.bytes == "out\n" && outcome.ended == Ended::exited &&
                        (request.guarded ? outcome.command_exit == 7
                                         : !outcome.transport_exit || *outcome.transport_exit == 7);
            }
        auto request = script_on_host("exec sleep 1000");
        request.timeout = 100ms;
        right = right && run(request).everything_killed == true;
        over = true;
        reaper.join();
        return right;
    }));
}

TEST_CASE("the host gets no signal, though nobody reads what it writes") {
    CHECK(in_own_process([] {
        static std::atomic<int> signals{0};
        Disposition const pipe{SIGPIPE, [](int) { ++signals; }};
        Disposition const child{SIGCHLD, [](int) {}};
        for (auto request : guarded_and_not(script_on_host("exec <&-; exit 7"))) {
            request.input = std::string(16 << 20, 'x');
            if (run(request).exit_code() != 7) return false;
        }
        return signals == 0;
    }));
}

TEST_CASE("many threads call at once, and each gets its own") {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    auto const before = count_open_descriptors();
    for (int thread = 0; thread < 16; ++thread)
        threads.emplace_back([&right, thread] {
            for (int call = 0; call < 4; ++call) {
                auto const own = std::to_string(thread * 100 + call);
                for (auto request : guarded_and_not(
                         script_on_host("cat; echo " + own + " >&2; exit " + std::to_string(thread)))) {
                    request.input = std::string(10000, static_cast<char>('a' + thread));
                    auto const outcome = run(request);
                    if (outcome.output.bytes == std::string(10000, static_cast<char>('a' + thread)) &&
                        outcome.error.bytes == own + '\n' && outcome.exit_code() == thread)
                        ++right;
                }
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(right == 16 * 4 * 2);
    CHECK(count_open_descriptors() == before);
    CHECK_FALSE(has_children());
}

TEST_CASE("a host that is killed in the middle of a call takes the tool with it") {
    for (auto const* input : {"", "input"}) {
        auto const sleep = support::unique_sleep();
        for (auto const& script : stubborn_scripts(sleep)) {
            CAPTURE(script);
            auto const expected = script.find('&') == std::string::npos ? 1U : 2U;
            auto const host = ::fork();
            REQUIRE(host >= 0); // a signal to -1 would reach everybody
            if (host == 0) {
                auto request = script_on_host(script);
                request.input = input;
                run(request);
                ::_exit(0);
            }
            CHECK(support::wait_for_processes(support::sleeping(sleep), expected));
            ::kill(host, SIGKILL);
            ::waitpid(host, nullptr, 0);
            CHECK(support::wait_for_processes(sleep, 0, 2s + support::scheduling));
        }
    }
}

TEST_CASE("a thread that is cancelled in the middle of a call takes the tool with it") {
    auto const sleep = support::unique_sleep();
    for (auto const& script : stubborn_scripts(sleep))
        for (auto request : guarded_and_not(script_on_host(script))) {
            CAPTURE(script);
            CAPTURE(request.guarded);
            ::pthread_t thread{};
            ::pthread_create(
                &thread, nullptr,
                [](void* asked) -> void* {
                    run(*static_cast<LaunchRequest const*>(asked));
                    return nullptr;
                },
                &request);
            auto const expected = script.find('&') == std::string::npos ? 1U : 2U;
            CHECK(support::wait_for_processes(support::sleeping(sleep), expected));
            ::pthread_cancel(thread);
            void* result = nullptr;
            ::pthread_join(thread, &result);
            CHECK(result == PTHREAD_CANCELED);
            CHECK(support::tools_with(sleep).empty());
        }
    CHECK_FALSE(has_children());
}

TEST_CASE("a host without descriptors is refused cleanly") {
    CHECK(in_own_process([] {
        std::vector<int> taken;
        for (int descriptor = ::dup(0); descriptor >= 0; descriptor = ::dup(0))
            taken.push_back(descriptor);
        auto const refused = [](LaunchRequest const& request) {
            try {
                run(request);
            } catch (std::system_error const& error) {
                return error.code() == std::errc::too_many_files_open;
            }
            return false;
        };
        std::stop_source source;
        auto request = on_host({"/bin/echo", "out"});
        request.stop_token = source.get_token();
        // One more descriptor at a time, until there are enough: each try in between starts nothing.
        while (!taken.empty()) {
            if (!refused(request)) break;
            ::close(taken.back());
            taken.pop_back();
        }
        return !taken.empty() && run(request).output.bytes == "out\n" && !has_children();
    }));
}
