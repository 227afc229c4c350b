// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/process_list.hpp>
#include <unit/detail/process_support.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <poll.h>

using support::shells;

namespace {

// A process of this test, in a session of its own: not under any guard.
class Sleeper {
public:
    explicit Sleeper(std::vector<std::string> const& environment = {})
        : process_{{"/usr/bin/setsid", "/bin/sh", "-c", "echo $$; exec /bin/sleep 3600"}, environment} {
        REQUIRE(process_.pump_until([&] { return process_.output().ends_with('\n'); }));
        auto const stat = support::read_file("/proc/" + number() + "/stat");
        auto fields = stat.substr(stat.rfind(") ") + 2);
        for (int field = 3; field < 22; ++field)
            fields.erase(0, fields.find(' ') + 1);
        started_ = fields.substr(0, fields.find(' '));
    }
    Sleeper(Sleeper const&) = delete;
    Sleeper& operator=(Sleeper const&) = delete;
    ~Sleeper() { ::kill(std::stoi(number()), SIGKILL); }

    std::string number() const { return process_.output().substr(0, process_.output().size() - 1); }
    std::string const& started() const { return started_; }
    bool is_alive() const { return process_support::is_running(std::stoi(number())); }

private:
    support::PipedProcess process_;
    std::string started_{};
};

longshore::CallSecrets const secrets = longshore::CallSecrets::make();
std::string const stamp = "LONGSHORE_CALL=" + secrets.identity;

// Asks for a clean-up as a launcher does, but of this shell.
std::optional<bool> clean_up(support::Shell const& shell, std::string const& session) {
    longshore::LaunchRequest request;
    auto const question = longshore::guard::clean_up_request(request, secrets, session);
    CHECK_FALSE(question.guarded);
    auto arguments = shell.arguments;
    arguments.insert(arguments.end(), question.command.arguments.begin() + 1,
                     question.command.arguments.end());
    support::PipedProcess process{arguments, {"PATH=/usr/bin:/bin"}};
    process.send(std::get<std::string>(question.input));
    process.close_input();
    CHECK(process.wait_for_end() == 0);
    CHECK(process.error().empty());
    return longshore::guard::clean_up_answer(process.output(), secrets);
}

} // namespace

TEST_CASE("a clean-up ends whoever carries the call's identity, and nobody else") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        Sleeper const first{{stamp}};
        Sleeper const second{{"A=b", stamp, "C=d"}};
        Sleeper const other{{"LONGSHORE_CALL=another"}};
        CHECK(clean_up(shell, "") == true);
        CHECK_FALSE(first.is_alive());
        CHECK_FALSE(second.is_alive());
        CHECK(other.is_alive());
    }
}

TEST_CASE("a clean-up ends the session that it was told of") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        Sleeper const sleeper;
        CHECK(clean_up(shell, sleeper.number() + ' ' + sleeper.started()) == true);
        CHECK_FALSE(sleeper.is_alive());
    }
}

TEST_CASE("a session number that now belongs to another process is left alone") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        Sleeper const stranger;
        CHECK(clean_up(shell, stranger.number() + " 1") == true);
        CHECK(stranger.is_alive());
    }
}

TEST_CASE("a clean-up with nothing to do says that nothing is left") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        CHECK(clean_up(shell, "") == true);
    }
}

TEST_CASE("a clean-up that is not told what to end does nothing") {
    auto const text = longshore::guard::clean_up_request({}, secrets, "").command.arguments.back();
    for (auto const& shell : shells())
        for (std::string const input : {"", "MARK", "MARK ID", "\n", "MARK\n"}) {
            CAPTURE(shell.name);
            CAPTURE(input);
            auto arguments = shell.arguments;
            arguments.insert(arguments.end(), {"-c", text});
            support::PipedProcess process{arguments, {"PATH=/usr/bin:/bin"}};
            process.send(input);
            process.close_input();
            CHECK(process.wait_for_end() == 125);
            CHECK(process.output().empty());
        }
}

TEST_CASE("a clean-up's answer is found among a transport's own lines, and believed by its mark alone") {
    longshore::CallSecrets const call{"MARK", "IDENTITY"};
    auto const answer = [&](std::string const& output) {
        return longshore::guard::clean_up_answer(output, call);
    };
    CHECK(answer("warning\n\036MARK gone\nbye\n") == true);
    CHECK(answer("\036MARK left\n") == false);
    CHECK(answer("\036MARK unsure\n") == std::nullopt);
    CHECK(answer("\036OTHER gone\n") == std::nullopt);
    CHECK(answer("\036MARK gone") == std::nullopt);
    CHECK(answer("MARK gone\n") == std::nullopt);
    CHECK(answer("") == std::nullopt);
}
