// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_PATH_MAPPING_OPTIONS_HPP
#define LONGSHORE_PATH_MAPPING_OPTIONS_HPP

#include <string>
#include <vector>

namespace longshore::inline v0 {

/// What is mapped in a JSON document beside whole string values that look like a path. All of it is off,
/// because each guesses more about texts that may mean something else.
struct PathMappingOptions {
    bool map_keys = false;      ///< names of members too, by the rules for values
    bool map_file_uris = false; ///< `file:///a%20b`, `file://localhost/a` and `file:/a`, decoded and encoded

    /// Paths inside longer texts: `--out=/a/x`, `name:/a/x`, scripts. A path starts at the start of the text
    /// or after white space, a quote or one of `= : , ; | & < > ( [ { @`, and ends before white space, a
    /// quote, a backslash or one of `= : , ; | & < > ( ) [ ] { }`; URLs are left alone. A root that holds
    /// such a character is found only where a whole value is a path.
    bool map_embedded = false;

    std::vector<std::string> keys_to_leave_alone{}; ///< members of these names stay as they are, at any depth

    friend bool operator==(PathMappingOptions const&, PathMappingOptions const&) = default;
};

} // namespace longshore::inline v0

#endif
