// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_BUBBLEWRAP_CLI_HPP
#define LONGSHORE_CONTAINER_BUBBLEWRAP_CLI_HPP

#include <longshore/container/cli.hpp>
#include <longshore/container/transport_noise.hpp>
#include <longshore/designated_only.hpp>
#include <longshore/detail/lexical_path.hpp>
#include <longshore/path_mapper.hpp>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// What a bubblewrap sandbox has beside the workspace, written with designated initialisers.
struct BubblewrapOptions {
    DesignatedOnly designated_only = DesignatedOnly{};
    std::string binary = "bwrap";      ///< a name that is looked up in `PATH`, or an absolute path
    std::string version = {};          ///< what the metadata tell; longshore does not ask for it
    std::vector<Mount> read_only = {}; ///< more files and folders of the host that tools may read
    bool network = false;              ///< whether tools may use the host's network
};

/// A sandbox of bubblewrap: no daemon, no image, no root. Each call gets a fresh one with this host's
/// programs.
///
/// A tool sees the system folders (`/usr` and what leads into it) read-only, its own `/proc`, `/dev` and
/// `/tmp`, the workspace, and `mounts`; nothing else of the host, no network, no other process. Of `/etc` it
/// sees only what programs need to start. Capabilities are dropped, also for root.
///
/// The sandbox ends with the guard, which ends when its standard input does; so nothing is left when this
/// process dies. Without the guard the sandbox follows the thread that started it (`--die-with-parent`):
/// start such calls from a lasting thread.
///
/// Works as root and as an ordinary user, where the kernel allows user namespaces.
class BubblewrapCli {
public:
    explicit BubblewrapCli(BubblewrapOptions options = {}) : options_{std::move(options)} {}

    std::string_view binary() const noexcept { return options_.binary; }
    std::string_view version() const noexcept { return options_.version; }
    std::string_view install_hint() const noexcept { return "Install bubblewrap (Debian: bubblewrap)."; }

    /// Throws `ValueError` when `host_sandbox_path` is empty, and for `container_id` and `user`, which a
    /// sandbox does not have.
    std::vector<std::string> target_arguments(ContainerConfig const& config) const {
        refuse_what_is_not_there(config);
        std::vector<std::string> arguments{"--unshare-all", "--cap-drop", "ALL"};
        add_lifetime(arguments, config);
        add_system(arguments);
        if (options_.network) add_network(arguments);
        add_binds(arguments, config);
        add(arguments, {"--remount-ro", "/", "--chdir", config.workspace_folder.string(), "--"});
        return arguments;
    }

    std::vector<std::string> environment_names() const { return {}; }

    std::optional<Failure> explain(LaunchOutcome const& outcome) const {
        constexpr auto unavailable = FailureKind::container_unavailable;
        constexpr std::string_view user_namespaces =
            "bubblewrap needs user namespaces: check the sysctls user.max_user_namespaces and, where they "
            "exist, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns.";
        return meaning_of_noise(
            outcome, {{"can't find source path", unavailable,
                       "Create the folder: host_sandbox_path, a mount, or one of read_only does not exist."},
                      {"no permissions to create", unavailable, user_namespaces},
                      {"creating new namespace failed", unavailable, user_namespaces},
                      {"setting up uid map", unavailable, user_namespaces},
                      {"can't mount proc", unavailable,
                       "This host does not allow a new /proc, as inside another container."},
                      {"execvp", FailureKind::tool_not_found, "The guard needs `sh` below /usr."}});
    }

private:
    static void add(std::vector<std::string>& arguments, std::initializer_list<std::string> more) {
        arguments.insert(arguments.end(), more);
    }

    static void refuse_what_is_not_there(ContainerConfig const& config) {
        if (config.host_sandbox_path.empty())
            throw ValueError{"BubblewrapCli needs host_sandbox_path: the folder that becomes the workspace"};
        if (!config.container_id.empty())
            throw ValueError{"BubblewrapCli starts its own sandbox, it cannot enter the container " +
                             detail::shown_text(config.container_id.string())};
        if (!config.user.empty())
            throw ValueError{"BubblewrapCli runs tools as the user of this process, not as user"};
    }

    // A new session keeps a tool from typing into the terminal of the host, but takes the sandbox's first
    // process out of the process group that is killed as the last resort. The guard gives the tool a session
    // of its own, so that both hold; without the guard only the parent's death can take the sandbox along.
    static void add_lifetime(std::vector<std::string>& arguments, ContainerConfig const& config) {
        if (!config.guard) add(arguments, {"--new-session", "--die-with-parent"});
    }

    static void add_system(std::vector<std::string>& arguments) {
        add(arguments, {"--ro-bind", "/usr", "/usr"});
        for (auto const* folder : {"/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"})
            add_as_on_host(arguments, folder);
        // What programs need to start: the linker's cache, Debian's choice of programs, the local time.
        for (auto const* file : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                 "/etc/alternatives", "/etc/localtime"})
            add(arguments, {"--ro-bind-try", file, file});
        add(arguments, {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"});
    }

    // Most systems have links into /usr there, others folders.
    static void add_as_on_host(std::vector<std::string>& arguments, std::string const& folder) {
        std::error_code failure;
        auto const target = std::filesystem::read_symlink(folder, failure);
        if (!failure)
            add(arguments, {"--symlink", target.string(), folder});
        else if (std::filesystem::is_directory(folder, failure))
            add(arguments, {"--ro-bind", folder, folder});
    }

    static void add_network(std::vector<std::string>& arguments) {
        add(arguments, {"--share-net"});
        for (auto const* file : {"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/certs",
                                 "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted"})
            add(arguments, {"--ro-bind-try", file, file});
    }

    struct Bind {
        std::string_view option;
        Mount mount;
    };

    // Outer folders first: a later bind covers what an earlier one put at its place. Which is the outer one
    // is told by where a path leads, not by how it is written.
    void add_binds(std::vector<std::string>& arguments, ContainerConfig const& config) const {
        std::vector<Bind> binds{
            {"--bind", {config.host_sandbox_path.string(), config.workspace_folder.string()}}};
        for (auto const& mount : config.mounts)
            binds.push_back({"--bind", mount});
        for (auto const& mount : options_.read_only)
            binds.push_back({"--ro-bind", mount});
        std::stable_sort(binds.begin(), binds.end(), [](Bind const& left, Bind const& right) {
            return detail::lexically_resolved(left.mount.container).size() <
                   detail::lexically_resolved(right.mount.container).size();
        });
        for (auto const& bind : binds)
            add(arguments, {std::string{bind.option}, bind.mount.host, bind.mount.container});
    }

    BubblewrapOptions options_;
};

static_assert(ContainerCli<BubblewrapCli>);

} // namespace longshore::inline v0

#endif
