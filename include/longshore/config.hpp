// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONFIG_HPP
#define LONGSHORE_CONFIG_HPP

/// @file
/// What this platform has. Each macro is 0 or 1 and is tested with `#if`; none changes the meaning of a
/// public name.

#if defined(__linux__)
#define LONGSHORE_LINUX 1
#else
#define LONGSHORE_LINUX 0
#endif

#if defined(_WIN32)
#define LONGSHORE_WINDOWS 1
#else
#define LONGSHORE_WINDOWS 0
#endif

// A sanitizer's runtime does not follow a child that shares its memory: such builds start processes by
// posix_spawn.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LONGSHORE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define LONGSHORE_SANITIZED 1
#else
#define LONGSHORE_SANITIZED 0
#endif
#else
#define LONGSHORE_SANITIZED 0
#endif

#endif
