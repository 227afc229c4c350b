// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/become_program.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace process_support;

namespace {

void ignore_quietly(int) {}

std::string joined_with_nul(std::vector<std::string> const& texts) {
    std::string result;
    for (auto const& text : texts)
        result += text + '\0';
    return result;
}

std::string line_of(std::string const& text, std::string const& key) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
        if (line.rfind(key, 0) == 0) return line.substr(key.size());
    return "no line " + key;
}

Job cat(std::string file) { return {.arguments = {"/bin/cat", std::move(file)}}; }

} // namespace

TEST_CASE("A program gets exactly its arguments") {
    std::vector<std::string> const arguments{"/bin/sh",        "-c",        "cat /proc/$$/cmdline; :",
                                             "name",           "",          " two words ",
                                             "--option=value", "new\nline", "\"quoted'",
                                             "$(id)",          "*",         "\xff\xfe",
                                             "\xc3\xa9"};
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        CHECK(run({.arguments = arguments}, way.features).output == joined_with_nul(arguments));
    }
}

TEST_CASE("A program gets exactly its environment and nothing of the host's") {
    ::setenv("LONGSHORE_TEST_SECRET", "value", 1);
    for (auto const& environment : std::vector<std::vector<std::string>>{
             {}, {"A=1", "EMPTY=", "B=two words", "C=a=b", "D=new\nline", "E=\xff"}})
        for (auto const& way : every_way()) {
            CAPTURE(way.name);
            auto const finished =
                run({.arguments = {"/usr/bin/env", "-0"}, .environment = environment}, way.features);
            CHECK(finished.status == 0);
            CHECK(finished.output == joined_with_nul(environment));
        }
    ::unsetenv("LONGSHORE_TEST_SECRET");
}

TEST_CASE("A program starts in its working directory, or in the host's") {
    auto const target = std::filesystem::canonical("/tmp").string();
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Job job{.arguments = {"/bin/pwd"}, .working_directory = "/tmp"};
        CHECK(run(job, way.features).output == target + '\n');
        job.working_directory.clear();
        CHECK(run(job, way.features).output == std::filesystem::current_path().string() + '\n');
    }
}

TEST_CASE("A program has default signal dispositions and an empty mask whatever the host has") {
    Disposition const ignored{SIGPIPE, SIG_IGN};
    Disposition const also_ignored{SIGINT, SIG_IGN};
    Disposition const real_time_ignored{SIGRTMIN + 3, SIG_IGN};
    Disposition const handled{SIGUSR1, ignore_quietly};
    ::sigset_t mask;
    ::sigset_t before;
    ::sigfillset(&mask);
    ::pthread_sigmask(SIG_SETMASK, &mask, &before);
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto const status = run(cat("/proc/self/status"), way.features).output;
        for (auto const* key : {"SigPnd:\t", "ShdPnd:\t", "SigBlk:\t", "SigIgn:\t", "SigCgt:\t"}) {
            CAPTURE(key);
            CHECK(line_of(status, key) == "0000000000000000");
        }
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("A program leads its own process group") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(cat("/proc/self/stat"), way.features);
        auto const process = std::to_string(child.process());
        CHECK(finish(std::move(child)).output.find(process + " (cat) ") == 0);
        auto group = start(shell("read -r a b c d e rest < /proc/self/stat; echo $e $$"), way.features);
        auto const expected = std::to_string(group.process());
        CHECK(finish(std::move(group)).output == expected + ' ' + expected + '\n');
    }
}

TEST_CASE("A program inherits no descriptor but its standard streams") {
    std::vector<longshore::detail::FileDescriptor> inheritable;
    for (int count = 0; count < 100; ++count)
        inheritable.emplace_back(::open("/dev/null", O_RDONLY));
    longshore::detail::FileDescriptor const high{::fcntl(inheritable.front().get(), F_DUPFD, 1000)};
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        // The shell opens the directory itself while it expands the pattern; one number more, then.
        auto const finished =
            run(shell("cd /proc/$$/fd && for f in *; do [ -e $f ] && echo $f; done"), way.features);
        CHECK(finished.output == "0\n1\n2\n");
    }
}

TEST_CASE("Merged streams keep the order in which they were written") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto job = shell("for i in 1 2 3; do echo out $i; echo error $i >&2; done");
        job.merge_error = true;
        auto child = start(job, way.features);
        CHECK_FALSE(child.error.valid());
        CHECK(finish(std::move(child)).output == "out 1\nerror 1\nout 2\nerror 2\nout 3\nerror 3\n");
    }
}

TEST_CASE("Resource limits bind the program, and it cannot raise them") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto job =
            shell("ulimit -S -v; ulimit -H -v; ulimit -S -f; ulimit -H -f; ulimit -S -n; ulimit -H -n; "
                  "ulimit -S -t; ulimit -H -t; ulimit -S -p; ulimit -H -p");
        job.limits = {.memory_bytes = 1 << 30,
                      .processes = 500,
                      .file_bytes = 1 << 20,
                      .open_files = 32,
                      .cpu_seconds = 10};
        CHECK(run(job, way.features).output == "1048576\n1048576\n2048\n2048\n32\n32\n10\n11\n500\n500\n");
    }
}

TEST_CASE("A program that goes over a limit ends as the limit says") {
    auto writer = shell("exec head -c 100000 /dev/zero > \"$FILE\"");
    auto const file =
        std::filesystem::temp_directory_path() / ("longshore-limit-" + std::to_string(::getpid()));
    writer.environment.push_back("FILE=" + file.string());
    writer.limits.file_bytes = 4096;
    CHECK(run(writer).status == -SIGXFSZ);
    CHECK(std::filesystem::file_size(file) == 4096);
    std::filesystem::remove(file);

    auto eater = shell("exec tail /dev/zero");
    eater.limits.memory_bytes = 64 << 20;
    CHECK(run(eater).status == 1);

    auto spinner = shell("while :; do :; done");
    spinner.limits.cpu_seconds = 1;
    CHECK(run(spinner).status == -SIGXCPU);
}

TEST_CASE("Limits above the host's own are held at the host's own") {
    CHECK(in_own_process([] {
        ::rlimit const low{64, 64};
        ::setrlimit(RLIMIT_NOFILE, &low);
        auto job = shell("ulimit -S -n; ulimit -H -n");
        job.limits.open_files = 1'000'000;
        return run(job).output == "64\n64\n";
    }));
}
