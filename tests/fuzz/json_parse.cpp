// SPDX-License-Identifier: BSL-1.0
// BoostJson accepts exactly the texts that RFC 8259 and the limits of JsonPolicy allow, says what was written
// to the last digit, and writes it again; a second library agrees.
//
// Input: the text.
#include <longshore/json/boost_json.hpp>

#include <fuzz/json_comparison.hpp>
#include <fuzz/reference_json.hpp>
#include <fuzz/require.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using longshore::BoostJson;
using Comparison = fuzz::JsonComparison<BoostJson>;
using Verdict = fuzz::ReferenceJson::Verdict;

// The other library takes a null byte for the end of the text and skips a byte order mark.
bool can_ask_another_library(std::string_view text) {
    return text.find('\0') == std::string_view::npos && !text.starts_with('\xEF');
}

void check_written(BoostJson::value const& document, fuzz::JsonNode const& node) {
    auto const text = BoostJson::serialize(document);
    fuzz::require(text.find('\n') == std::string::npos, "JSON is written in one line");
    fuzz::require(nlohmann::json::accept(text), "another library accepts what is written");
    auto const again = BoostJson::parse(text);
    fuzz::require(again.has_value(), "what is written is read again");
    fuzz::require(*again == document, "what is read again is equal");
    fuzz::require(Comparison::same(*again, node), "what is read again is what was written at first");
    fuzz::require_equal(BoostJson::serialize(*again), text, "it is written the same way again");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text{reinterpret_cast<char const*>(data), size};
    fuzz::ReferenceJson const reference{text};
    auto const document = BoostJson::parse(text);
    if (reference.verdict() != Verdict::unspecified)
        fuzz::require(document.has_value() == (reference.verdict() == Verdict::accepted),
                      "exactly the documents within the limits are accepted");
    if (can_ask_another_library(text)) {
        auto const accepted = nlohmann::json::accept(text);
        fuzz::require(accepted || !document, "what is accepted, another library accepts");
        fuzz::require(!accepted || reference.verdict() != Verdict::not_json, "what is no JSON, it refuses");
    }
    if (!document) return 0;
    fuzz::require(Comparison::same(*document, reference.document()), "a document says what was written");
    check_written(*document, reference.document());
    return 0;
}
