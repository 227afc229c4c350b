// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_CONFIG_HPP
#define LONGSHORE_CONTAINER_CONFIG_HPP

#include <longshore/container/config_field.hpp>
#include <longshore/container/config_rules.hpp>
#include <longshore/designated_only.hpp>
#include <longshore/path_mapper.hpp>
#include <longshore/path_mapping_options.hpp>
#include <longshore/timeout.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace longshore::inline v0 {

/// Which container a tool runs in, and within which bounds.
///
/// It is written with designated initialisers only, and each field checks itself whenever it is set:
/// `ContainerConfig{.container_id = "4f5e", .timeout_seconds = 30}`. What a field cannot be throws
/// `ValueError` that names the field and the value.
///
/// A plain value; an executor keeps its own copy. Thread safety: as a `std::string`.
/// Source: execution-environment.md, "Configuration".
struct ContainerConfig {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// The workspace inside the container, and the directory that tools start in. Absolute, not the root,
    /// without `..`.
    TextField<config_rules::WorkspaceFolder> workspace_folder = "/workspace";

    /// Id or name of a running container.
    TextField<config_rules::ContainerId> container_id = "";

    /// The image that it was made of; told in the metadata, never started.
    TextField<config_rules::Image> image = "";

    /// The user that tools run as, as the CLI's `-u` takes it. Empty: the container's own.
    TextField<config_rules::User> user = "";

    /// The deadline of a call, from its start to its end.
    Timeout timeout_seconds = 120;

    /// The folder of the host that the workspace shows. Empty: `/tmp/sandbox` for mapping paths and for
    /// fetching files.
    TextField<config_rules::HostSandboxPath> host_sandbox_path = "";

    /// More folders that both sides see, beside the workspace. The longest match wins.
    ListField<Mount, config_rules::Mounts> mounts = {};

    /// Names of host variables that the container CLI gets, beside `PATH`, `LANG` and `TERM`.
    ListField<std::string, config_rules::ForwardEnvironment> forward_environment = {};

    /// What stands in front of the tool's name on its command line there. Empty: the name is the program.
    ListField<std::string, config_rules::ToolCommand> tool_command = {};

    /// Bytes kept of each stream; what comes after them is counted and dropped.
    CountField<config_rules::OutputLimit> output_limit = std::size_t{50} << 20;

    /// Calls of one executor that run at once; the others wait in order. 0: no limit.
    CountField<config_rules::ConcurrencyLimit> concurrency_limit = 0;

    /// The longest silence of a tool, both streams together. Empty: as long as `timeout_seconds` lets it.
    std::optional<Timeout> no_output_timeout = {};

    /// How long pipes that others hold open are read after the end.
    Grace drain_grace = std::chrono::milliseconds{500};

    /// How long the guard may take to end a tool after the deadline.
    Grace kill_grace = std::chrono::seconds{1};

    /// Whether tools run behind the guard, which proves how far a call came and leaves nothing running. Turn
    /// it off for images without `sh`.
    bool guard = true;

    /// Texts replaced by `[redacted]` in error texts, logs and metadata.
    ListField<std::string, config_rules::Redact> redact = {};

    /// Which strings of inputs and outputs are mapped beside whole paths.
    PathMappingOptions path_mapping = {};
};

/// The folder of the host that stands for the workspace when `host_sandbox_path` is empty.
/// Source: execution-environment.md, "Symlink guard".
inline constexpr char default_sandbox_path[] = "/tmp/sandbox";

/// The folder of the host that the workspace shows.
inline std::string sandbox_path(ContainerConfig const& config) {
    return config.host_sandbox_path.empty() ? std::string{default_sandbox_path}
                                            : config.host_sandbox_path.string();
}

} // namespace longshore::inline v0

#endif
