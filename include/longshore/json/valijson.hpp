// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_JSON_VALIJSON_HPP
#define LONGSHORE_JSON_VALIJSON_HPP

#include <longshore/detail/json_check.hpp>
#include <longshore/detail/schema_numbers.hpp>
#include <longshore/detail/schema_references.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/json/boost_json.hpp>
#include <longshore/json/policy.hpp>

#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/adapters/std_string_adapter.hpp>
#include <valijson/constraint_builder.hpp>
#include <valijson/constraints/concrete_constraints.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validation_visitor.hpp>
#include <valijson/validator.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#if !defined(VALIJSON_USE_EXCEPTIONS) || !VALIJSON_USE_EXCEPTIONS
#error                                                                                                       \
    "Define VALIJSON_USE_EXCEPTIONS=1, as valijson's CMake target does: without it valijson ends the program"
#endif

namespace longshore::inline v0 {

namespace detail {

// valijson matches with std::regex, which recurses once a character: a long text overflows the stack. So none
// meets an expression.
inline constexpr std::size_t matched_text_limit = 1024;

// Inputs of which a part is too long to be matched. It is an exception, because below `not` a constraint that
// only fails would let them pass.
struct TooLongToMatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `['<root>', '[files]', '[0]']`, as valijson says where it is, as a JSON pointer in words.
inline std::string schema_place(std::vector<std::string> const& context) {
    std::string pointer;
    for (std::size_t at = 1; at < context.size(); ++at)
        pointer += json_pointer_token(std::string_view{context[at]}.substr(1, context[at].size() - 2));
    return pointer.empty() ? "inputs" : "value at '" + pointer + "'";
}

// A rule about text that valijson has an expression for, kept from texts that are too long.
class TextConstraint final : public valijson::constraints::PolyConstraint {
public:
    using Rule = std::function<bool(std::string const&)>;

    TextConstraint(std::string problem, Rule holds)
        : problem_{std::move(problem)}, holds_{std::move(holds)} {}

    static TextConstraint pattern(std::string const& pattern) {
        return {"String does not match the pattern " + shown_text(pattern),
                [expression = std::regex{pattern}](std::string const& text) {
                    return std::regex_search(text, expression);
                }};
    }

    static TextConstraint format(std::string const& format) {
        valijson::constraints::FormatConstraint constraint;
        constraint.setFormat(format);
        return {
            "String should be a valid " + shown_text(format), [constraint](std::string const& text) {
                valijson::adapters::StdStringAdapter const adapter{text};
                std::unordered_map<std::string, std::regex> expressions;
                return valijson::ValidationVisitor{adapter, {}, true, nullptr, expressions}.visit(constraint);
            }};
    }

    bool validate(valijson::adapters::Adapter const& target, std::vector<std::string> const& context,
                  valijson::ValidationResults* results) const override {
        if (!target.isString()) return true;
        auto const text = target.asString();
        if (text.size() > matched_text_limit)
            throw TooLongToMatch{schema_place(context) + ": String of " + std::to_string(text.size()) +
                                 " bytes is too long to be matched; at most " +
                                 std::to_string(matched_text_limit) + " will do"};
        if (holds_(text)) return true;
        if (results != nullptr) results->pushError(context, problem_);
        return false;
    }

private:
    valijson::constraints::Constraint* cloneInto(void* place) const override {
        return new (place) TextConstraint{*this};
    }
    std::size_t sizeOf() const override { return sizeof(TextConstraint); }

    std::string problem_;
    Rule holds_;
};

class TextConstraintBuilder final : public valijson::ConstraintBuilder {
public:
    using Make = TextConstraint (*)(std::string const&);

    explicit TextConstraintBuilder(Make given) : make_{given} {}

    valijson::constraints::Constraint* make(valijson::adapters::Adapter const& keyword) const override {
        return new TextConstraint{make_(keyword.asString())}; // the parser's own
    }

private:
    Make make_;
};

// A schema whose keywords for text are those of `TextConstraint`.
class TextSchema {
public:
    explicit TextSchema(boost::json::object schema) : document_(std::move(schema)) {
        make_numbers_plain(document_);
        read(document_);
        SchemaReferences references{document_};
        check(references, document_);
    }

    boost::json::value const& document() const noexcept { return document_; }

    // Whether names of members meet an expression as well.
    bool matches_names() const noexcept { return matches_names_; }

    static void teach(valijson::SchemaParser& parser) {
        parser.addConstraintBuilder(pattern, new TextConstraintBuilder{TextConstraint::pattern});
        parser.addConstraintBuilder(format, new TextConstraintBuilder{TextConstraint::format});
    }

private:
    static constexpr char pattern[] = "longshore-pattern";
    static constexpr char format[] = "longshore-format";
    static constexpr char base[] = "longshore-id";

    static bool is_data(std::string_view keyword) {
        return keyword == "enum" || keyword == "const" || keyword == "default" || keyword == "examples";
    }

    static bool is_named_schemas(std::string_view keyword) {
        return keyword == "properties" || keyword == "patternProperties" || keyword == "definitions" ||
               keyword == "$defs" || keyword == "dependencies";
    }

    // Calls `visit` with each schema in a place of `schema` where one can stand.
    template <typename Value, typename Visit>
    static void for_each_schema(Value& schema, Visit visit) {
        if (schema.is_array()) BoostJson::for_each_element(schema, visit);
        if (!schema.is_object()) return;
        BoostJson::for_each_member(schema.get_object(), [&](std::string_view keyword, Value& member) {
            if (is_named_schemas(keyword) && member.is_object())
                BoostJson::for_each_member(member.get_object(),
                                           [&](std::string_view, Value& named) { visit(named); });
            else if (!is_data(keyword))
                visit(member);
        });
    }

    void read(boost::json::value& schema) {
        for_each_schema(schema, [&](boost::json::value& part) { read(part); });
        auto* const members = schema.if_object();
        if (members == nullptr) return;
        matches_names_ = matches_names_ || members->contains("patternProperties");
        rename(*members);
    }

    static void check(SchemaReferences& references, boost::json::value const& schema) {
        references.follow(schema);
        for_each_schema(schema, [&](boost::json::value const& part) { check(references, part); });
    }

    static void rename(boost::json::object& schema) {
        BoostJson::rename_members(schema, [&](std::string_view keyword) -> std::optional<std::string> {
            if (!BoostJson::find(schema, keyword)->is_string()) return std::nullopt;
            if (keyword == "pattern") return pattern;
            if (keyword == "format") return format;
            if (keyword == "$id") return base; // references stay within the schema, whatever its name
            return std::nullopt;
        });
    }

    boost::json::value document_;
    bool matches_names_ = false;
};

inline void refuse_long_names(boost::json::value const& inputs) {
    if (auto const* const elements = inputs.if_array())
        for (auto const& element : *elements)
            refuse_long_names(element);
    if (auto const* const members = inputs.if_object())
        for (auto const& member : *members) {
            if (member.key().size() > matched_text_limit)
                throw TooLongToMatch{"inputs: the name of a member is too long to be matched; at most " +
                                     std::to_string(matched_text_limit) + " bytes will do"};
            refuse_long_names(member.value());
        }
}

// What valijson found, the innermost first, without what only says that something within is wrong.
inline std::vector<std::string> schema_problems(valijson::ValidationResults const& results) {
    constexpr std::size_t most = 20;
    std::vector<std::string> problems;
    std::size_t more = 0;
    std::size_t depth_before = 0;
    for (auto const& [context, description] : results) {
        auto const follows = std::exchange(depth_before, context.size()) > context.size();
        if (follows && description.starts_with("Failed to validate ")) continue;
        if (problems.size() == most) {
            ++more;
            continue;
        }
        auto const end = description.ends_with('.') ? description.size() - 1 : description.size();
        problems.push_back(schema_place(context) + ": " + description.substr(0, end));
    }
    if (more != 0) problems.push_back("and " + std::to_string(more) + " more");
    return problems;
}

} // namespace detail

/// Checks inputs against a whole JSON Schema (draft 7), by valijson: what `RunnerOptions::validator` is for.
///
///     ToolRunner runner{registry, executor, RunnerOptions<BoostJson>{.validator = ValijsonValidator{}}};
///
/// - Needs valijson's headers and `VALIJSON_USE_EXCEPTIONS=1`, which valijson's CMake target brings.
/// - `$ref` works within the schema. No other document is ever fetched.
/// - Text that meets a `pattern`, `patternProperties` or `format` may have 1024 bytes; inputs with more are
///   refused, because the expressions of the standard library overflow the stack. They are ECMAScript's,
///   match bytes, and can take long on purpose: a schema is trusted, as its tool is.
/// - Of formats `date`, `time` and `date-time` are checked.
/// - Whole numbers beyond 2^63 - 1 count as `number`, not as `integer`.
///
/// Stateless; thread safe.
struct ValijsonValidator {
    /// What is wrong with the inputs, each with the JSON pointer of its place: `value at '/files/0': ...`. Of
    /// many problems the first 20 are told. Empty: the inputs will do.
    /// Throws `ValueError` for a schema that is none, and for inputs that JSON cannot say.
    std::vector<std::string> operator()(boost::json::object const& schema,
                                        boost::json::object const& inputs) const {
        detail::JsonCheck<BoostJson>::require_serialisable(schema);
        detail::JsonCheck<BoostJson>::require_serialisable(inputs);
        detail::TextSchema const text_schema{schema};
        valijson::Schema compiled;
        compile(text_schema, compiled);
        boost::json::value document(inputs);
        detail::make_numbers_plain(document);
        return problems(compiled, document, text_schema.matches_names());
    }

private:
    static void compile(detail::TextSchema const& schema, valijson::Schema& compiled) {
        valijson::SchemaParser parser;
        detail::TextSchema::teach(parser);
        try {
            parser.populateSchema(valijson::adapters::BoostJsonAdapter{schema.document()}, compiled);
        } catch (std::exception const& error) {
            throw ValueError{"input_schema: " + std::string{error.what()}};
        }
    }

    static std::vector<std::string> problems(valijson::Schema const& schema, boost::json::value const& inputs,
                                             bool matches_names) {
        try {
            if (matches_names) detail::refuse_long_names(inputs);
            valijson::ValidationResults results;
            valijson::Validator validator;
            if (validator.validate(schema, valijson::adapters::BoostJsonAdapter{inputs}, &results)) return {};
            auto found = detail::schema_problems(results);
            if (found.empty()) found.push_back("inputs: the schema allows none");
            return found;
        } catch (detail::TooLongToMatch const& error) {
            return {error.what()};
        }
    }
};

} // namespace longshore::inline v0

#endif
