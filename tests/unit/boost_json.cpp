// SPDX-License-Identifier: BSL-1.0
// The one translation unit of the tests that compiles Boost.JSON.
#include <boost/json/src.hpp>
