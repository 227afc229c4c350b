// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_PROCESS_ANY_LAUNCHER_HPP
#define LONGSHORE_PROCESS_ANY_LAUNCHER_HPP

#include <longshore/launch/outcome.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/launch/request.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace longshore::inline v0 {

/// Holds any `LaunchPolicy`, for programs that choose theirs at run time.
///
/// It owns the launcher; it can be moved, not copied. A moved-from one may only be assigned to and destroyed.
/// Thread safety and errors: as the launcher that it holds.
class AnyLauncher {
public:
    template <typename Launcher>
    requires(!std::same_as<std::remove_cvref_t<Launcher>, AnyLauncher> &&
             LaunchPolicy<std::remove_cvref_t<Launcher>>) AnyLauncher(Launcher&& launcher)
        : model_{std::make_unique<Model<std::remove_cvref_t<Launcher>>>(std::forward<Launcher>(launcher))} {}

    LaunchOutcome run(LaunchRequest const& request) { return model_->run(request); }

private:
    struct Interface {
        Interface() = default;
        Interface(Interface const&) = delete;
        Interface& operator=(Interface const&) = delete;
        virtual ~Interface() = default;
        virtual LaunchOutcome run(LaunchRequest const& request) = 0;
    };

    template <LaunchPolicy Launcher>
    struct Model final : Interface {
        template <typename Source>
        explicit Model(Source&& source) : launcher{std::forward<Source>(source)} {}
        LaunchOutcome run(LaunchRequest const& request) override { return launcher.run(request); }
        Launcher launcher;
    };

    std::unique_ptr<Interface> model_;
};

static_assert(LaunchPolicy<AnyLauncher>);

} // namespace longshore::inline v0

#endif
