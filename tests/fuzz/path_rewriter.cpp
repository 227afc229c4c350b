// SPDX-License-Identifier: BSL-1.0
// Mapping the paths in a document in place gives what parsing it, walking through it plainly and building it
// anew by the documented rules gives, in both directions and with every option.
//
// Input: five choices (which way, names, file URIs, embedded forms, JSON or lines of text), a line of mounts,
// a line of names to leave alone, then the document.
#include <longshore/json/boost_json.hpp>
#include <longshore/json/path_rewriter.hpp>

#include <fuzz/input.hpp>
#include <fuzz/reference_paths.hpp>
#include <fuzz/reference_rewriter.hpp>
#include <fuzz/require.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using longshore::BoostJson;
using longshore::PathDirection;

// Lines become the strings of an array: shorter than JSON, and they may be no UTF-8.
BoostJson::value array_of(std::vector<std::string_view> const& lines) {
    boost::json::array array;
    for (auto const line : lines)
        array.emplace_back(boost::json::string_view{line.data(), line.size()});
    return array;
}

std::optional<std::string> serialised(BoostJson::value const& document) {
    try {
        return BoostJson::serialize(document);
    } catch (longshore::ValueError const&) {
        return std::nullopt;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    auto const direction = input.flag() ? PathDirection::to_host : PathDirection::to_container;
    longshore::PathMappingOptions options{input.flag(), input.flag(), input.flag(), {}};
    auto const is_text = input.flag();
    input.text_until('\n');
    auto const mounts = fuzz::mounts_of(input.text_until('\n'));
    if (!fuzz::may_be_mounted(mounts)) return 0;
    for (auto const name : fuzz::split(input.text_until('\n'), ','))
        options.keys_to_leave_alone.emplace_back(name);

    auto document =
        is_text ? std::optional{array_of(fuzz::split(input.rest(), '\n'))} : BoostJson::parse(input.rest());
    if (!document) return 0;
    fuzz::ReferenceRewriter reference{fuzz::ReferenceMapper{mounts}, direction, options};
    auto const expected = reference.rewritten(*document);

    longshore::PathMapper const mapper{mounts};
    longshore::PathRewriter<BoostJson> const rewriter{mapper, options};
    auto const changes = direction == PathDirection::to_host ? rewriter.map_outputs(*document)
                                                             : rewriter.map_inputs(*document);
    fuzz::require_equal(serialised(*document).value_or("not JSON"), serialised(expected).value_or("not JSON"),
                        "in place is as built anew");
    fuzz::require(*document == expected, "in place is as built anew, UTF-8 or not");
    fuzz::require(changes == reference.changes(), "every change is counted");
    return 0;
}
