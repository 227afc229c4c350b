// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_BASIC_REGISTRY_HPP
#define LONGSHORE_TOOL_BASIC_REGISTRY_HPP

#include <longshore/container/tool_request.hpp>
#include <longshore/detail/json_check.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/basic_spec.hpp>
#include <longshore/tool/input_rules.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// The tools that a program has, by name.
///
/// Thread safety: all members may be called from several threads at once. Lifetime: a specification that was
/// handed out stays as it is and lives on when the registry drops it.
template <JsonPolicy Json>
class BasicToolRegistry {
public:
    using json_policy = Json;
    using spec_type = BasicToolSpec<Json>;

    /// Takes a tool. Throws `ValueError` for a name that is taken or that no tool can have, and for a schema
    /// that is none; nothing has changed then.
    void add(spec_type spec) {
        check_tool_name(spec.name);
        if (!spec.container_command.empty()) check_tool_name(spec.container_command);
        detail::JsonCheck<Json>::require_serialisable(spec.input_schema);
        InputRules<Json>{spec.input_schema};
        auto tool = std::make_shared<spec_type const>(std::move(spec));
        std::unique_lock const lock{mutex_};
        if (!tools_.try_emplace(tool->name, tool).second)
            throw ValueError{"a tool is registered already under the name " + detail::shown_text(tool->name)};
    }

    /// Drops a tool. @return whether there was one.
    bool remove(std::string_view name) {
        std::unique_lock const lock{mutex_};
        auto const found = tools_.find(name);
        if (found == tools_.end()) return false;
        tools_.erase(found);
        return true;
    }

    /// The tool of that name; null where there is none.
    std::shared_ptr<spec_type const> find(std::string_view name) const {
        std::shared_lock const lock{mutex_};
        auto const found = tools_.find(name);
        return found == tools_.end() ? nullptr : found->second;
    }

    /// All tools, ordered by name.
    std::vector<std::shared_ptr<spec_type const>> list() const {
        std::shared_lock const lock{mutex_};
        std::vector<std::shared_ptr<spec_type const>> tools;
        tools.reserve(tools_.size());
        for (auto const& [name, tool] : tools_)
            tools.push_back(tool);
        return tools;
    }

    std::size_t size() const {
        std::shared_lock const lock{mutex_};
        return tools_.size();
    }

private:
    mutable std::shared_mutex mutex_{};
    std::map<std::string, std::shared_ptr<spec_type const>, std::less<>> tools_{};
};

} // namespace longshore::inline v0

#endif
