// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;
using namespace std::chrono_literals;

namespace {

// A tool that does all it can to stay: it ignores signals, forks, and starts daemons, of which one keeps the
// tool's streams open and has lost its parent. Each of its processes has the tool's name in front of what it
// is.
std::string const loop = "while :; do sleep 0.05; done";
std::string const clinging = "trap \"\" TERM HUP INT PIPE\n"
                             "sh -c '" +
                             loop +
                             "' \"$0 forked\" &\n"
                             "setsid sh -c '" +
                             loop +
                             "' \"$0 daemon\" </dev/null >/dev/null 2>&1 &\n"
                             "setsid sh -c 'setsid sh -c \"" +
                             loop + "\" \"$0 of a daemon\" &' \"$0 daemon\" &\n" + loop;

bool all_run(std::string const& tool) {
    auto const runs = [&](std::string const& part) {
        return !processes_with_argument([&](auto const& argument) {
                    return argument == tool + part;
                }).empty();
    };
    return runs("") && runs(" forked") && runs(" daemon") && runs(" daemon of a daemon");
}

// Another process of this host that runs a tool: what a program is that somebody kills.
class OtherHost {
public:
    OtherHost(Place const& place, std::string const& script, std::string const& name) : process_{::fork()} {
        if (process_ != 0) return;
        auto executor = place.shell(script);
        static_cast<void>(executor.execute_tool(name, object{}));
        ::_exit(0);
    }
    OtherHost(OtherHost const&) = delete;
    OtherHost& operator=(OtherHost const&) = delete;
    ~OtherHost() { kill(); }

    void kill() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = -1;
    }

private:
    ::pid_t process_;
};

} // namespace

TEST_CASE("after a timeout no process of the tool is left, whatever it does to stay") {
    in_every_place([](Place const& place) {
        auto const name = unique_name("clinging-tool");
        auto executor = place.shell("echo so far; " + clinging);
        bool all_ran = false;
        auto const result = executor.execute_tool(name, object{},
                                                  {.timeout = place.way().by_devcontainer() ? 4s : 2s,
                                                   .on_output = [&](longshore::Stream, std::string_view) {
                                                       all_ran =
                                                           eventually([&] { return all_run(name); }, 1500ms);
                                                       return longshore::Flow::go_on;
                                                   }});
        is_gone(place, name);
        CHECK(all_ran);
        CHECK(result.failure_kind() == FailureKind::timed_out);
        CHECK(result.container().value().container_process_killed() == true);
        CHECK(result.standard_output().bytes == "so far\n");
    });
}

TEST_CASE("after the host process is killed no process of the tool is left, whatever it does to stay") {
    in_every_place([](Place const& place) {
        auto const name = unique_name("clinging-tool");
        OtherHost host{place, clinging, name};
        REQUIRE(eventually([&] { return all_run(name); }));
        host.kill();
        is_gone(place, name);
    });
}

TEST_CASE("a tool that ends in peace takes the processes that it left running with it") {
    in_every_place([](Place const& place) {
        auto const name = unique_name("daemon");
        auto executor =
            place.shell("setsid sh -c '" + loop + "' \"$0\" </dev/null >/dev/null 2>&1 & echo '{\"a\":1}'");
        auto const result = executor.execute_tool(name, object{});
        CHECK(result.output() == object{{"a", 1}});
        is_gone(place, name);
    });
}

TEST_CASE("a call that is cancelled leaves no process of the tool") {
    in_every_place([](Place const& place) {
        auto const name = unique_name("cancelled");
        auto executor = place.shell("echo started; trap \"\" TERM; " + loop);
        std::stop_source source;
        auto const result = executor.execute_tool(name, object{},
                                                  {.on_output =
                                                       [&](longshore::Stream, std::string_view) {
                                                           source.request_stop();
                                                           return longshore::Flow::go_on;
                                                       },
                                                   .stop_token = source.get_token()});
        CHECK(result.failure_kind() == FailureKind::cancelled);
        CHECK(result.container().value().container_process_killed() == true);
        is_gone(place, name);
    });
}
