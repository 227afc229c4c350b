// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_JSON_ARCHETYPES_HPP
#define LONGSHORE_TESTS_JSON_ARCHETYPES_HPP

// `JsonPolicy`, and what is built on it: the least that satisfies each concept, and a near miss for each
// requirement.

#include <longshore/json/policy.hpp>
#include <longshore/timeout.hpp>
#include <longshore/tool/basic_result.hpp>
#include <longshore/tool/executor_concept.hpp>
#include <longshore/tool/host_handler.hpp>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace archetype {

struct JsonObject {};
struct JsonValue {
    friend bool operator==(JsonValue const&, JsonValue const&) { return true; }
};

template <typename Value, typename Object>
struct BasicJson {
    using value = Value;
    using object = Object;
    using text = std::string_view;

    static std::optional<value> parse(text) { return {}; }
    static std::string serialize(value const&) { return {}; }
    static std::string serialize(object const&) { return {}; }
    static longshore::JsonKind kind(value const&) { return longshore::JsonKind::null; }
    static bool as_boolean(value const&) { return {}; }
    static std::int64_t as_integer(value const&) { return {}; }
    static std::uint64_t as_unsigned(value const&) { return {}; }
    static double as_number(value const&) { return {}; }
    static text as_string(value const&) { return {}; }
    static object const& as_object(value const&) { return an_object(); }
    static object& as_object(value&) { return an_object(); }
    static value const* find(object const&, text) { return nullptr; }
    static void insert(object&, text, value const&) {}
    static void assign(value&, text) {}
    static value make() { return {}; }
    static value make(bool) { return {}; }
    static value make(std::int64_t) { return {}; }
    static value make(std::uint64_t) { return {}; }
    static value make(double) { return {}; }
    static value make(text) { return {}; }
    static value make(object const&) { return {}; }
    template <typename Visit>
    static void for_each_member(object const&, Visit&&) {}
    template <typename Visit>
    static void for_each_member(object&, Visit&&) {}
    template <typename Visit>
    static void for_each_element(value const&, Visit&&) {}
    template <typename Visit>
    static void for_each_element(value&, Visit&&) {}
    template <typename Rename>
    static void rename_members(object&, Rename&&) {}

private:
    static object& an_object() {
        static object only{};
        return only;
    }
};
using Json = BasicJson<JsonValue, JsonObject>;
static_assert(longshore::JsonPolicy<Json>);

namespace json_near_miss {

struct ValueWithoutEquality {};
struct ObjectThatStays {
    ObjectThatStays() = default;
    ObjectThatStays(ObjectThatStays const&) = delete;
};
struct ObjectWithoutDefault {
    explicit ObjectWithoutDefault(int);
};
struct Parse : Json {
    static value parse(text);
};
struct SerializeValue : Json {
    using Json::serialize;
    static std::string serialize(value const&) = delete;
};
struct SerializeObject : Json {
    using Json::serialize;
    static std::string serialize(object const&) = delete;
};
struct Kind : Json {
    static int kind(value const&);
};
struct AsBoolean : Json {
    static int as_boolean(value const&);
};
struct AsInteger : Json {
    static int as_integer(value const&);
};
struct AsUnsigned : Json {
    static std::int64_t as_unsigned(value const&);
};
struct AsNumber : Json {
    static float as_number(value const&);
};
struct AsString : Json {
    static std::string as_string(value const&);
};
struct AsObject : Json {
    using Json::as_object;
    static object const& as_object(value const&) = delete;
};
struct AsMutableObject : Json {
    using Json::as_object;
    static object& as_object(value&) = delete;
};
struct Find : Json {
    static value find(object const&, text);
};
struct Insert : Json {
    static void insert(object const&, text);
};
struct Assign : Json {
    static void assign(value&);
};
struct MakeNothing : Json {
    using Json::make;
    static value make() = delete;
};
struct MakeBoolean : Json {
    using Json::make;
    static value make(bool) = delete;
};
struct MakeInteger : Json {
    using Json::make;
    static value make(std::int64_t) = delete;
};
struct MakeUnsigned : Json {
    using Json::make;
    static value make(std::uint64_t) = delete;
};
struct MakeNumber : Json {
    using Json::make;
    static value make(double) = delete;
};
struct MakeText : Json {
    using Json::make;
    static value make(text) = delete;
};
struct MakeObject : Json {
    using Json::make;
    static value make(object const&) = delete;
};
struct VisitMembers : Json {
    using Json::for_each_member;
    template <typename Visit>
    static void for_each_member(object const&, Visit&&) = delete;
};
struct VisitMutableMembers : Json {
    using Json::for_each_member;
    template <typename Visit>
    static void for_each_member(object&, Visit&&) = delete;
};
struct VisitElements : Json {
    using Json::for_each_element;
    template <typename Visit>
    static void for_each_element(value const&, Visit&&) = delete;
};
struct VisitMutableElements : Json {
    using Json::for_each_element;
    template <typename Visit>
    static void for_each_element(value&, Visit&&) = delete;
};
struct RenameMembers : Json {
    static void rename_members(object&);
};

template <typename... Misses>
inline constexpr bool none_is_json_policy = (!longshore::JsonPolicy<Misses> && ...);

static_assert(
    none_is_json_policy<BasicJson<ValueWithoutEquality, JsonObject>, BasicJson<JsonValue, ObjectThatStays>,
                        BasicJson<JsonValue, ObjectWithoutDefault>, Parse, SerializeValue, SerializeObject,
                        Kind, AsBoolean, AsInteger, AsUnsigned, AsNumber, AsString, AsObject, AsMutableObject,
                        Find, Insert, Assign>);
static_assert(none_is_json_policy<MakeNothing, MakeBoolean, MakeInteger, MakeUnsigned, MakeNumber, MakeText,
                                  MakeObject, VisitMembers, VisitMutableMembers, VisitElements,
                                  VisitMutableElements, RenameMembers>);

} // namespace json_near_miss

// ---- ToolExecutor

struct Executor {
    using json_policy = Json;
    using result = longshore::BasicToolResult<Json>;
    result execute_tool(std::string_view, Json::object const&) { return result::success({}); }
    result execute_tool(std::string_view, Json::object const&, longshore::Timeout) {
        return result::success({});
    }
};
static_assert(longshore::ToolExecutor<Executor>);

namespace executor_near_miss {

struct WithoutJson {
    Executor::result execute_tool(std::string_view, Json::object const&);
    Executor::result execute_tool(std::string_view, Json::object const&, longshore::Timeout);
};
struct WithPoorJson : Executor {
    using json_policy = json_near_miss::Parse;
};
struct WithoutDefaultTimeout : Executor {
    using Executor::execute_tool;
    result execute_tool(std::string_view, Json::object const&) = delete;
};
struct WithoutTimeout : Executor {
    using Executor::execute_tool;
    result execute_tool(std::string_view, Json::object const&, longshore::Timeout) = delete;
};
struct OfObjects : Executor {
    Json::object execute_tool(std::string_view, Json::object const&);
    Json::object execute_tool(std::string_view, Json::object const&, longshore::Timeout);
};

static_assert(!longshore::ToolExecutor<WithoutJson>);
static_assert(!longshore::ToolExecutor<WithPoorJson>);
static_assert(!longshore::ToolExecutor<WithoutDefaultTimeout>);
static_assert(!longshore::ToolExecutor<WithoutTimeout>);
static_assert(!longshore::ToolExecutor<OfObjects>);

} // namespace executor_near_miss
// ---- HostCallable

struct Handler {
    Handler() = delete;
    explicit Handler(int) {}
    Handler(Handler&&) = default;
    void operator()(JsonObject const&) & {}
};
static_assert(longshore::HostCallable<Handler, Json>);

struct StoppableHandler {
    JsonValue operator()(JsonObject const&, std::stop_token const&);
};
static_assert(longshore::HostCallable<StoppableHandler, Json>);

struct HandlerThatChangesInputs {
    void operator()(JsonObject&);
};
static_assert(!longshore::HostCallable<HandlerThatChangesInputs, Json>);

struct HandlerWithoutInputs {
    void operator()();
};
static_assert(!longshore::HostCallable<HandlerWithoutInputs, Json>);

struct HandlerOfHandlers {
    Handler operator()(JsonObject const&);
};
static_assert(!longshore::HostCallable<HandlerOfHandlers, Json>);

struct HandlerThatStopsOthers {
    void operator()(JsonObject const&, std::stop_source const&);
};
static_assert(!longshore::HostCallable<HandlerThatStopsOthers, Json>);

} // namespace archetype

#endif
