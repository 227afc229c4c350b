// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_SUPPORT_ENVIRONMENT_HPP
#define LONGSHORE_TESTS_SUPPORT_ENVIRONMENT_HPP

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace support {

// Sets variables of this process, or removes them where no value is given, and puts back what was there.
// Only for tests that run no other thread.
class ChangedEnvironment {
public:
    using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

    explicit ChangedEnvironment(Variables const& variables) {
        for (auto const& [name, value] : variables) {
            auto const* const before = std::getenv(name.c_str());
            before_.emplace_back(name, before ? std::optional<std::string>{before} : std::nullopt);
            set(name, value);
        }
    }
    ChangedEnvironment(ChangedEnvironment const&) = delete;
    ChangedEnvironment& operator=(ChangedEnvironment const&) = delete;
    ~ChangedEnvironment() {
        for (auto entry = before_.rbegin(); entry != before_.rend(); ++entry)
            set(entry->first, entry->second);
    }

private:
    static void set(std::string const& name, std::optional<std::string> const& value) {
        if (value)
            ::setenv(name.c_str(), value->c_str(), 1);
        else
            ::unsetenv(name.c_str());
    }

    Variables before_{};
};

} // namespace support

#endif
