// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_CONFIG_RULES_HPP
#define LONGSHORE_CONTAINER_CONFIG_RULES_HPP

#include <longshore/detail/lexical_path.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/path_mapper.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What each field of `ContainerConfig` accepts. The texts name the field and show the value.
namespace longshore::inline v0::config_rules {

[[noreturn]] inline void refuse(std::string_view field, std::string_view value, std::string_view why) {
    throw ValueError{std::string{field} + ' ' + std::string{why} + ": " + detail::shown_text(value)};
}

inline void refuse_null(std::string_view field, std::string_view value) {
    if (detail::holds_null(value)) refuse(field, value, "must not hold a null byte");
}

inline bool holds_parent_component(std::string_view path) {
    return ('/' + std::string{path} + '/').find("/../") != std::string::npos;
}

struct WorkspaceFolder {
    static void validate(std::string_view path) {
        constexpr std::string_view field = "workspace_folder";
        refuse_null(field, path);
        if (!path.starts_with('/')) refuse(field, path, "must be an absolute path");
        if (holds_parent_component(path)) refuse(field, path, "must not hold '..'");
        if (detail::lexically_resolved(path) == "/") refuse(field, path, "must not be the root");
    }
};

struct HostSandboxPath {
    static void validate(std::string_view path) {
        constexpr std::string_view field = "host_sandbox_path";
        refuse_null(field, path);
        if (path.empty()) return;
        if (!path.starts_with('/')) refuse(field, path, "must be an absolute path");
        if (detail::lexically_resolved(path) == "/") refuse(field, path, "must not be the root");
    }
};

/// Text that becomes an argument of its own on the container CLI's command line. A leading dash would turn
/// it into an option.
inline void check_argument(std::string_view field, std::string_view value) {
    refuse_null(field, value);
    if (value.starts_with('-')) refuse(field, value, "must not start with '-'");
    for (auto const c : value)
        if (c == ' ' || detail::is_control(c))
            refuse(field, value, "must not hold white space or control characters");
}

struct ContainerId {
    static void validate(std::string_view value) { check_argument("container_id", value); }
};
struct Image {
    static void validate(std::string_view value) { check_argument("image", value); }
};
struct User {
    static void validate(std::string_view value) { check_argument("user", value); }
};

struct Mounts {
    static void validate(std::vector<Mount> const& mounts) {
        if (!mounts.empty()) static_cast<void>(PathMapper{mounts});
    }
};

/// The name of an environment variable.
inline void check_environment_name(std::string_view field, std::string_view name) {
    refuse_null(field, name);
    if (name.empty()) throw ValueError{std::string{field} + " holds an empty name"};
    if (auto const equals = name.find('='); equals != std::string_view::npos) // the value may be secret
        refuse(field, name.substr(0, equals), "takes names without '=' and a value");
    for (auto const c : name)
        if (c == ' ' || detail::is_control(c))
            refuse(field, name, "takes names without white space and control characters");
}

struct ForwardEnvironment {
    static void validate(std::vector<std::string> const& names) {
        for (auto const& name : names)
            check_environment_name("forward_environment", name);
    }
};

struct ToolCommand {
    static void validate(std::vector<std::string> const& arguments) {
        if (!arguments.empty() && arguments.front().empty())
            throw ValueError{"tool_command must start with a program, not with an empty text"};
        for (auto const& argument : arguments)
            refuse_null("tool_command", argument);
    }
};

/// Secrets are never shown, in these texts neither.
struct Redact {
    static void validate(std::vector<std::string> const& secrets) {
        for (auto const& secret : secrets)
            if (secret.empty()) throw ValueError{"redact holds an empty text, which stands everywhere"};
    }
};

struct OutputLimit {
    static constexpr std::string_view name = "output_limit";
    static constexpr void validate(std::size_t bytes) {
        if (bytes == 0) throw ValueError{"output_limit must be > 0 bytes"};
    }
};

struct ConcurrencyLimit {
    static constexpr std::string_view name = "concurrency_limit";
    static constexpr void validate(std::size_t) {}
};

} // namespace longshore::inline v0::config_rules

#endif
