// SPDX-License-Identifier: BSL-1.0
// Whatever a tool prints becomes an object by four rules: nothing, the object, `result`, or `raw_output`. It
// never throws, and what it gives can always be written and read again.
//
// Input: the output.
#include <longshore/json/boost_json.hpp>
#include <longshore/json/parse_output.hpp>

#include <fuzz/json_comparison.hpp>
#include <fuzz/reference_json.hpp>
#include <fuzz/require.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace {

using fuzz::JsonNode;
using Verdict = fuzz::ReferenceJson::Verdict;
using longshore::BoostJson;

bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(std::string_view text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    while (!text.empty() && is_white_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_white_space(text.back()))
        text.remove_suffix(1);
    return text;
}

JsonNode object_of(std::string name, JsonNode member) {
    JsonNode object{JsonNode::Kind::object, {}, {}};
    object.children.emplace_back(std::move(name), std::move(member));
    return object;
}

// Empty where the rules leave it to the JSON library.
std::optional<JsonNode> expected_of(std::string_view text) {
    auto const document = trimmed(text);
    if (document.empty()) return JsonNode{JsonNode::Kind::object, {}, {}};
    fuzz::ReferenceJson const reference{document};
    if (reference.verdict() == Verdict::unspecified) return std::nullopt;
    if (reference.verdict() != Verdict::accepted)
        return object_of("raw_output", {JsonNode::Kind::string, longshore::detail::utf8_replace(text), {}});
    if (reference.document().kind == JsonNode::Kind::object) return reference.document();
    return object_of("result", reference.document());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text{reinterpret_cast<char const*>(data), size};
    auto const output = longshore::parse_output<BoostJson>(text);
    auto const expected = expected_of(text);
    if (expected)
        fuzz::require(fuzz::JsonComparison<BoostJson>::same(output, *expected),
                      "output is read by the rules");
    auto const written = BoostJson::serialize(output);
    auto const again = BoostJson::parse(written);
    fuzz::require(again && BoostJson::as_object(*again) == output, "output can be written and read again");

    auto const raw = longshore::unparsed_output<BoostJson>(text);
    fuzz::require_equal(BoostJson::as_string(*BoostJson::find(raw, "raw_output")),
                        longshore::detail::utf8_replace(text), "output that is cut short is kept as text");
    fuzz::require(BoostJson::parse(BoostJson::serialize(raw)).has_value(), "and that can be written");
    return 0;
}
