// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_VERSION_HPP
#define LONGSHORE_VERSION_HPP

/// @file
/// The one place that says which version this is; build files and the amalgamated header read it from here.

#define LONGSHORE_VERSION_MAJOR 0
#define LONGSHORE_VERSION_MINOR 1
#define LONGSHORE_VERSION_PATCH 0
#define LONGSHORE_VERSION_STRING "0.1.0"

#endif
