// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/system_calls.hpp>

#include <longshore/config.hpp>
#include <longshore/detail/identity_sweep.hpp>
#include <longshore/detail/pipe_write.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#if LONGSHORE_LINUX

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

using namespace process_support;

namespace {

// A system call that a filter refuses; `flags`: only where its first argument has one of them.
struct Refused {
    long number;
    std::uint32_t flags = 0;
};

::sock_filter jump(int code, std::uint32_t operand, std::uint8_t on_true, std::uint8_t on_false) {
    return {static_cast<std::uint16_t>(BPF_JMP | code | BPF_K), on_true, on_false, operand};
}
::sock_filter load(std::size_t offset) {
    return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
}
::sock_filter give(std::uint32_t verdict) { return {BPF_RET | BPF_K, 0, 0, verdict}; }

// For the calling process and all that it starts, as a container's runtime would set it up. It cannot be
// taken back.
bool refuse(std::vector<Refused> const& calls, int error) {
    std::vector<::sock_filter> program;
    for (auto const& call : calls) {
        program.push_back(load(offsetof(::seccomp_data, nr)));
        program.push_back(jump(BPF_JEQ, static_cast<std::uint32_t>(call.number), 0, 3));
        program.push_back(load(offsetof(::seccomp_data, args)));
        // Greater than or equal to 0 is every argument.
        program.push_back(call.flags != 0 ? jump(BPF_JSET, call.flags, 0, 1) : jump(BPF_JGE, 0, 0, 1));
        program.push_back(give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)));
    }
    program.push_back(give(SECCOMP_RET_ALLOW));
    ::sock_fprog const filter{static_cast<unsigned short>(program.size()), program.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool starts_and_fails_as_it_should() {
    auto job = shell("cat; echo error >&2; exit 7");
    job.input = "input";
    auto const finished = run(job);
    if (finished.output != "input" || finished.error != "error\n" || finished.status != 7) return false;
    auto stuck = start(shell("sleep 300"));
    stuck.kill_group();
    if (wait_status(stuck) != -SIGKILL || has_children()) return false;
    try {
        start({.arguments = {"/does/not/exist"}});
        return false;
    } catch (std::system_error const& failure) {
        return failure.code().value() == ENOENT && !has_children();
    }
}

bool writes_and_sweeps_as_it_should() {
    auto pipe = longshore::detail::make_pipe();
    pipe.reader.reset();
    if (!longshore::detail::write_without_signal(pipe.writer.get(), "bytes").reader_gone()) return false;
    auto const identity = "refused-" + std::to_string(::getpid());
    auto child = start({.arguments = {"/bin/sleep", "300"}, .environment = {"LONGSHORE_CALL=" + identity}});
    return longshore::detail::kill_by_identity(identity) == std::optional{true} &&
           wait_status(child) == -SIGKILL;
}

} // namespace

TEST_CASE("Processes work alike whichever system call a filter refuses") {
    // clone3 is refused with ENOSYS by every runtime that looks at the flags of clone, so that C libraries
    // fall back to it.
    std::vector<Refused> const newer{
        {SYS_close_range}, {SYS_pidfd_open}, {SYS_pidfd_send_signal}, {SYS_pwritev2}};
    std::vector<std::vector<Refused>> cases{{{SYS_clone, CLONE_PIDFD}}, {{SYS_clone, CLONE_VFORK}}, newer};
    for (auto const& call : newer)
        cases.push_back({call});
    cases.push_back(newer);
    cases.back().push_back({SYS_clone, CLONE_VFORK});
    for (auto const& calls : cases)
        for (auto const error : {ENOSYS, EPERM, EINVAL}) {
            CAPTURE(calls.size());
            CAPTURE(calls.front().number);
            CAPTURE(error);
            CHECK(in_own_process([&] {
                return refuse({{SYS_clone3}}, ENOSYS) && refuse(calls, error) &&
                       starts_and_fails_as_it_should() && writes_and_sweeps_as_it_should();
            }));
        }
}

#endif
