// SPDX-License-Identifier: BSL-1.0
// Any value that a program can build is either written as JSON that reads back equal, or refused with
// `ValueError` because it holds what JSON cannot say.
//
// Input: values, each a letter and its content: `s` text, `d` a double's eight bytes, `i` and `u` an
// integer's eight bytes, `n` null, `t` true, `[` and `{` open, `]` closes. A text ends with `~`; in an object
// a name stands first.
#include <longshore/json/boost_json.hpp>

#include <fuzz/input.hpp>
#include <fuzz/require.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace {

using longshore::BoostJson;
using longshore::JsonKind;

boost::json::string_view view(std::string_view text) { return {text.data(), text.size()}; }

// Values deeper than this are left out: Boost itself destroys by recursion.
constexpr int deepest = 600;

class Builder {
public:
    explicit Builder(fuzz::Input& input) : input_{input} {}

    BoostJson::value build(int depth = 0) {
        switch (input_.byte()) {
        case 's':
            return text(input_.text_until('~'));
        case 'd':
            return real(input_.number<double>());
        case 'i':
            return input_.number<std::int64_t>();
        case 'u':
            return input_.number<std::uint64_t>();
        case 't':
            return true;
        case '[':
            return array(depth + 1);
        case '{':
            return object(depth + 1);
        default:
            return nullptr;
        }
    }

    bool is_json() const noexcept { return is_json_; }

private:
    bool is_closed() { return input_.is_empty() || input_.next_is(']'); }

    BoostJson::value text(std::string_view content) {
        expect(is_utf8(content));
        return BoostJson::value(view(content));
    }

    BoostJson::value real(double content) {
        expect(std::isfinite(content));
        return content;
    }

    BoostJson::value array(int depth) {
        expect(depth <= 512);
        boost::json::array elements;
        while (!is_closed() && depth < deepest)
            elements.push_back(build(depth));
        return elements;
    }

    BoostJson::value object(int depth) {
        expect(depth <= 512);
        boost::json::object members;
        while (!is_closed() && depth < deepest) {
            auto const name = input_.text_until('~');
            if (members.contains(view(name))) break; // so that nothing is built that is replaced later
            expect(is_utf8(name));
            members.emplace(view(name), build(depth));
        }
        return members;
    }

    void expect(bool holds) { is_json_ = is_json_ && holds; }

    static bool is_utf8(std::string_view content) {
        try {
            static_cast<void>(nlohmann::json(std::string{content}).dump());
            return true;
        } catch (nlohmann::json::exception const&) {
            return false;
        }
    }

    fuzz::Input& input_;
    bool is_json_ = true;
};

std::optional<std::string> serialised(BoostJson::value const& document) {
    try {
        return BoostJson::serialize(document);
    } catch (longshore::ValueError const& error) {
        std::string_view const why = error.what();
        fuzz::require(why.starts_with("JSON document ") || why.starts_with("JSON value at '/"),
                      "a refusal says where");
        fuzz::require(longshore::detail::utf8_valid(why), "a refusal can be shown");
        return std::nullopt;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    Builder builder{input};
    auto const document = builder.build();
    auto const text = serialised(document);
    fuzz::require(text.has_value() == builder.is_json(), "exactly what JSON can say is written");
    if (!text) return 0;
    fuzz::require(nlohmann::json::accept(*text), "another library accepts what is written");
    auto const again = BoostJson::parse(*text);
    fuzz::require(again && *again == document, "what is written reads back equal");
    fuzz::require(BoostJson::serialize(*again) == *text, "it is written the same way again");
    return 0;
}
