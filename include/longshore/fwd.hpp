// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_FWD_HPP
#define LONGSHORE_FWD_HPP

/// @file
/// Declarations of the default policies, so that a header can name a default without paying for it.

namespace longshore::inline v0 {

struct BoostJson;
struct DevcontainerCli;
struct ContainerConfig;
struct LaunchRequest;
struct LaunchOutcome;

} // namespace longshore::inline v0

#endif
