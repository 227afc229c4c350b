// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_directory.hpp>

#include <longshore/detail/pipe.hpp>

#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <random>
#include <string>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sandbox_support;

namespace {

// A process that runs `work` until it is killed. It has begun when the constructor returns.
class Host {
public:
    template <typename Work>
    explicit Host(Work work) {
        auto pipe = longshore::detail::make_pipe();
        process_ = ::fork();
        if (process_ == 0) {
            work([&] { static_cast<void>(::write(pipe.writer.get(), "x", 1)); });
            ::_exit(1);
        }
        char begun = 0;
        static_cast<void>(::read(pipe.reader.get(), &begun, 1));
        CHECK(begun == 'x');
    }
    Host(Host const&) = delete;
    Host& operator=(Host const&) = delete;
    ~Host() { kill(); }

    void kill() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = -1;
    }

private:
    ::pid_t process_ = -1;
};

bool has_temporary(std::string const& directory) {
    for (auto const& name : names_in(directory))
        if (longshore::detail::is_temporary_name(name)) return true;
    return false;
}

std::string const piece_one(8192, '1');
std::string const piece_two(8192, '2');
constexpr int pieces = 16;

void write_in_pieces(SandboxDirectory const& sandbox, std::string const& piece) {
    auto file = sandbox.begin_file("file", piece.size() * pieces);
    for (int count = 0; count < pieces; ++count)
        file.append(piece);
    file.finish();
}

} // namespace

TEST_CASE(
    "A host that is killed at any moment leaves the old file or the new one, and the next write sweeps") {
    Place const place;
    write_in_pieces(SandboxDirectory{place.sandbox()}, piece_one);
    std::minstd_rand random{1};
    for (int round = 0; round < 100; ++round) {
        CAPTURE(round);
        {
            Host const host{[&](auto begun) {
                SandboxDirectory const sandbox{place.sandbox()};
                begun();
                for (;;) {
                    write_in_pieces(sandbox, piece_two);
                    write_in_pieces(sandbox, piece_one);
                }
            }};
            ::timespec const moment{0, static_cast<long>(random() % 3000000)};
            ::nanosleep(&moment, nullptr);
        }
        auto const text = content(place.sandbox("file"));
        REQUIRE(text.size() == piece_one.size() * pieces);
        CHECK(text.find_first_not_of(text.front()) == std::string::npos);
        SandboxDirectory{place.sandbox()}.write_file("other", "x");
        CHECK(names_in(place.sandbox()) == Names{"file", "other"});
    }
}

TEST_CASE(
    "A sweep spares what a living writer of another process has, and takes it when the writer is dead") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        place.make("a");
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        Host host{[&](auto begun) {
            auto file = sandbox.begin_file("a/file", 100);
            file.append("half");
            begun();
            for (;;)
                ::pause();
        }};
        CHECK(sandbox.sweep("a") == 0);
        SandboxDirectory{place.sandbox()}.write_file("a/other", "x");
        CHECK(has_temporary(place.sandbox("a")));
        host.kill();
        CHECK(sandbox.sweep() == 0);
        CHECK(has_temporary(place.sandbox("a")));
        CHECK(sandbox.sweep("a") == 1);
        CHECK(names_in(place.sandbox("a")) == Names{"other"});
    }
}

TEST_CASE("A sweep spares what this process is writing") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox()};
    auto file = sandbox.begin_file("file", 4);
    CHECK(sandbox.sweep() == 0);
    SandboxDirectory{place.sandbox()}.write_file("other", "x");
    file.append("text");
    file.finish();
    CHECK(content(place.sandbox("file")) == "text");
}
