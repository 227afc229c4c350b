// SPDX-License-Identifier: BSL-1.0
// Who takes the headers without a build file compiles Boost.JSON in exactly one source file.
#include <boost/json/src.hpp>
