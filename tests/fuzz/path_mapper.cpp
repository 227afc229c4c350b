// SPDX-License-Identifier: BSL-1.0
// PathMapper agrees with a mapper that works on lists of components; what it maps to the container maps back,
// and what is outside of its roots is never touched.
//
// Input: a line of mounts, `host>container,host>container`, then a path in each line.
#include <longshore/path_mapper.hpp>

#include <fuzz/input.hpp>
#include <fuzz/reference_paths.hpp>
#include <fuzz/require.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using longshore::Mount;
using longshore::PathMapper;
using longshore::ValueError;

// What `make` gives; empty when it throws `ValueError`. Anything else that it throws ends the program.
template <typename Make>
auto unless_refused(Make make) -> std::optional<decltype(make())> {
    try {
        return make();
    } catch (ValueError const& error) {
        fuzz::require(!std::string_view{error.what()}.empty(), "a refusal says why");
        return std::nullopt;
    }
}

void check_null(PathMapper const& mapper, std::string_view path) {
    fuzz::require(!unless_refused([&] { return mapper.host_to_container(path); }) &&
                      !unless_refused([&] { return mapper.container_to_host(path); }),
                  "a path with a null byte is refused");
    fuzz::require(!mapper.is_host_path(path) && !mapper.is_container_path(path),
                  "a path with a null byte belongs nowhere");
}

void check_path(PathMapper const& mapper, fuzz::ReferenceMapper const& reference, std::string_view path) {
    if (path.find('\0') != std::string_view::npos) return check_null(mapper, path);
    auto const there = mapper.host_to_container(path);
    auto const here = mapper.container_to_host(path);
    fuzz::require_equal(there, reference.host_to_container(path), "host_to_container goes by components");
    fuzz::require_equal(here, reference.container_to_host(path), "container_to_host goes by components");

    auto const is_host = reference.is_below(path, &fuzz::ReferenceMount::host);
    auto const is_container = reference.is_below(path, &fuzz::ReferenceMount::container);
    fuzz::require(mapper.is_host_path(path) == is_host, "is_host_path goes by components");
    fuzz::require(mapper.is_container_path(path) == is_container, "is_container_path goes by components");
    if (!is_host) fuzz::require_equal(there, path, "what is outside stays byte for byte");
    if (!is_container) fuzz::require_equal(here, path, "what is outside stays byte for byte");

    if (there != path)
        fuzz::require_equal(mapper.container_to_host(there), fuzz::resolved(path),
                            "what was mapped maps back");
    if (is_container)
        fuzz::require_equal(mapper.container_to_host(mapper.host_to_container(here)), here,
                            "what the container sees has a way back");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    auto const mounts = fuzz::mounts_of(input.text_until('\n'));
    auto const mapper = unless_refused([&] { return PathMapper{mounts}; });
    fuzz::require(mapper.has_value() == fuzz::may_be_mounted(mounts),
                  "exactly what may be mounted is accepted");
    if (mounts.size() == 1)
        fuzz::require(unless_refused([&] {
                          return PathMapper{mounts[0].host, mounts[0].container};
                      }) == mapper,
                      "one mount is two roots");
    if (!mapper) return 0;
    fuzz::ReferenceMapper const reference{mounts};
    for (auto const path : fuzz::split(input.rest(), '\n'))
        check_path(*mapper, reference, path);
    return 0;
}
