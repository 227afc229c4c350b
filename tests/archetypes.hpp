// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_ARCHETYPES_HPP
#define LONGSHORE_TESTS_ARCHETYPES_HPP

// For each concept the least that satisfies it, and for each of its requirements a type that misses that one.

#include <longshore/audit/record.hpp>
#include <longshore/clock/policy.hpp>
#include <longshore/container/cli.hpp>
#include <longshore/environment/resolver.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/path_mapper.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archetype {

// ---- LaunchPolicy, AsyncLaunchPolicy

struct Launcher {
    Launcher() = default;
    Launcher(Launcher&&) = default;
    Launcher& operator=(Launcher&&) = default;
    longshore::LaunchOutcome run(longshore::LaunchRequest const&) { return {}; }
};
static_assert(longshore::LaunchPolicy<Launcher>);
static_assert(!longshore::AsyncLaunchPolicy<Launcher>);

struct AsyncLauncher : Launcher {
    template <typename Token>
    void async_run(longshore::LaunchRequest, Token&&) {}
};
static_assert(longshore::AsyncLaunchPolicy<AsyncLauncher>);

struct LauncherThatStays : Launcher {
    LauncherThatStays(LauncherThatStays&&) = delete;
};
static_assert(!longshore::LaunchPolicy<LauncherThatStays>);

struct LauncherOfNumbers {
    int run(longshore::LaunchRequest const&);
};
static_assert(!longshore::LaunchPolicy<LauncherOfNumbers>);

struct LauncherThatChangesRequests {
    longshore::LaunchOutcome run(longshore::LaunchRequest&);
};
static_assert(!longshore::LaunchPolicy<LauncherThatChangesRequests>);

struct OnlyAsyncLauncher {
    template <typename Token>
    void async_run(longshore::LaunchRequest, Token&&) {}
};
static_assert(!longshore::AsyncLaunchPolicy<OnlyAsyncLauncher>);

// ---- ClockPolicy

struct Clock {
    static constexpr bool is_steady = true;
    std::chrono::time_point<Clock, std::chrono::nanoseconds> now() const { return {}; }
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
};
static_assert(longshore::ClockPolicy<Clock>);

struct ClockThatStays : Clock {
    ClockThatStays(ClockThatStays const&) = delete;
};
static_assert(!longshore::ClockPolicy<ClockThatStays>);

struct ClockOfNumbers : Clock {
    int now() const;
};
static_assert(!longshore::ClockPolicy<ClockOfNumbers>);

struct ClockThatChangesWhenRead : Clock {
    std::chrono::time_point<Clock, std::chrono::nanoseconds> now();
};
static_assert(!longshore::ClockPolicy<ClockThatChangesWhenRead>);

struct WallClock : Clock {
    static constexpr bool is_steady = false;
};
static_assert(!longshore::ClockPolicy<WallClock>);
static_assert(!longshore::ClockPolicy<std::chrono::system_clock>);

// ---- ContainerCli

struct Cli {
    std::string_view binary() const { return {}; }
    std::vector<std::string> target_arguments(longshore::ContainerConfig const&) const { return {}; }
    std::vector<std::string> environment_names() const { return {}; }
    std::optional<longshore::Failure> explain(longshore::LaunchOutcome const&) const { return {}; }
};
static_assert(longshore::ContainerCli<Cli>);

struct CliThatStays : Cli {
    CliThatStays(CliThatStays const&) = delete;
};
static_assert(!longshore::ContainerCli<CliThatStays>);

struct CliWithoutBinary : Cli {
    int binary() const;
};
static_assert(!longshore::ContainerCli<CliWithoutBinary>);

struct CliOfViews : Cli {
    std::vector<std::string_view> target_arguments(longshore::ContainerConfig const&) const;
};
static_assert(!longshore::ContainerCli<CliOfViews>);

struct CliWithoutNames : Cli {
    void environment_names() const;
};
static_assert(!longshore::ContainerCli<CliWithoutNames>);

struct CliThatSaysYesOrNo : Cli {
    bool explain(longshore::LaunchOutcome const&) const;
};
static_assert(!longshore::ContainerCli<CliThatSaysYesOrNo>);

struct CliThatChangesWhenAsked : Cli {
    std::string_view binary();
};
static_assert(!longshore::ContainerCli<CliThatChangesWhenAsked>);

// ---- PathMapping

struct Mapper {
    std::string_view host_to_container(std::string_view path) const { return path; }
    std::string container_to_host(std::string_view path) const { return std::string{path}; }
};
struct StringMapper : Mapper {
    std::string host_to_container(std::string_view path) const { return std::string{path}; }
};
static_assert(!longshore::PathMapping<Mapper>); // a view does not convert to a string
static_assert(longshore::PathMapping<StringMapper>);

struct OneWayMapper {
    std::string host_to_container(std::string_view path) const;
};
static_assert(!longshore::PathMapping<OneWayMapper>);

// ---- EnvironmentResolver

struct Resolver {
    Resolver() = delete;
    explicit Resolver(int) {}
    Resolver(Resolver const&) = default;
    Resolver& operator=(Resolver const&) = delete;
    longshore::EnvironmentDecision operator()(longshore::EnvironmentRequest const&) & { return {}; }
};
static_assert(longshore::EnvironmentResolver<Resolver>);

struct ResolverThatStays : Resolver {
    ResolverThatStays(ResolverThatStays const&) = delete;
};
static_assert(!longshore::EnvironmentResolver<ResolverThatStays>);

struct ResolverThatNamesNoLevel {
    longshore::ExecutionEnvironment operator()(longshore::EnvironmentRequest const&);
};
static_assert(!longshore::EnvironmentResolver<ResolverThatNamesNoLevel>);

struct ResolverThatChangesRequests {
    longshore::EnvironmentDecision operator()(longshore::EnvironmentRequest&);
};
static_assert(!longshore::EnvironmentResolver<ResolverThatChangesRequests>);

// ---- AuditSink

struct Sink {
    Sink() = delete;
    explicit Sink(int) {}
    Sink(Sink const&) = default;
    Sink& operator=(Sink const&) = delete;
    int operator()(longshore::AuditRecord const&) & { return 0; } // what it returns is nobody's concern
};
static_assert(longshore::AuditSink<Sink>);

struct SinkThatStays : Sink {
    SinkThatStays(SinkThatStays const&) = delete;
};
static_assert(!longshore::AuditSink<SinkThatStays>);

struct SinkThatChangesRecords {
    void operator()(longshore::AuditRecord&);
};
static_assert(!longshore::AuditSink<SinkThatChangesRecords>);

struct SinkWithAnotherName {
    void append(longshore::AuditRecord const&);
};
static_assert(!longshore::AuditSink<SinkWithAnotherName>);

} // namespace archetype

#endif
