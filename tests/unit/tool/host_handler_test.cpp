// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>
#include <longshore/tool/host_handler.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

using longshore::BoostJson;
using object = boost::json::object;
using Handler = longshore::HostHandler<BoostJson>;

namespace {

struct Point {
    int x;
    int y;
};

void tag_invoke(boost::json::value_from_tag const&, boost::json::value& json, Point const& point) {
    json = {{"x", point.x}, {"y", point.y}};
}

struct Opaque {};

template <typename Returned>
std::string output_of(Returned returned) {
    return BoostJson::serialize(Handler{[&](object const&) { return std::move(returned); }}({}));
}

template <typename T>
concept Convertible = longshore::JsonConvertible<T, BoostJson>;

} // namespace

TEST_CASE("an object that a handler returns is the output itself, and nothing is an empty one") {
    CHECK(output_of(object{{"a", 1}}) == R"({"a":1})");
    CHECK(output_of(boost::json::value{{"a", 1}}) == R"({"a":1})");
    CHECK(output_of(std::map<std::string, int>{{"a", 1}}) == R"({"a":1})");
    CHECK(output_of(Point{1, 2}) == R"({"x":1,"y":2})");
    CHECK(Handler{[](object const&) {}}({}).empty());
}

TEST_CASE("anything else that a handler returns stands under result") {
    CHECK(output_of(true) == R"({"result":true})");
    CHECK(output_of(-3) == R"({"result":-3})");
    CHECK(output_of(1.5F) == R"({"result":1.5E0})");
    CHECK(output_of("text") == R"({"result":"text"})");
    CHECK(output_of(std::string{"text"}) == R"({"result":"text"})");
    CHECK(output_of(std::string_view{"text"}) == R"({"result":"text"})");
    CHECK(output_of(std::filesystem::path{"/a/b"}) == R"({"result":"/a/b"})");
    CHECK(output_of(nullptr) == R"({"result":null})");
    CHECK(output_of(std::optional<int>{}) == R"({"result":null})");
    CHECK(output_of(boost::json::value(nullptr)) == R"({"result":null})");
    CHECK(output_of(boost::json::array{1, "two"}) == R"({"result":[1,"two"]})");
    CHECK(output_of(std::vector<std::string>{"a", "b"}) == R"({"result":["a","b"]})");
    CHECK(output_of(std::tuple{1, "two", std::vector{3}}) == R"({"result":[1,"two",[3]]})");
}

TEST_CASE("integers that a handler returns are never rounded") {
    CHECK(output_of(std::int64_t{9007199254740993}) == R"({"result":9007199254740993})");
    CHECK(output_of((std::numeric_limits<std::int64_t>::min)()) == R"({"result":-9223372036854775808})");
    CHECK(output_of((std::numeric_limits<std::uint64_t>::max)()) == R"({"result":18446744073709551615})");
}

TEST_CASE("what JSON has no value for does not compile as an output") {
    CHECK(Convertible<std::filesystem::path>);
    CHECK_FALSE(Convertible<Opaque>);
    CHECK_FALSE(Convertible<Opaque*>);
    auto const opaque = [](object const&) { return Opaque{}; };
    CHECK_FALSE(longshore::HostCallable<decltype(opaque), BoostJson>);
    auto const takes_nothing = [] { return 1; };
    CHECK_FALSE(longshore::HostCallable<decltype(takes_nothing), BoostJson>);
}

TEST_CASE("ranges of themselves, which Boost.JSON would convert without end, do not compile in containers") {
    CHECK_FALSE(Convertible<std::vector<std::filesystem::path>>);
    CHECK_FALSE(Convertible<std::map<std::string, std::optional<std::filesystem::path>>>);
    CHECK_FALSE(Convertible<std::pair<int, std::filesystem::path const>>);
}

TEST_CASE("a handler may take a stop token, be moved in, and keep a state of its own") {
    std::stop_source stop;
    stop.request_stop();
    Handler const asks{[](object const&, std::stop_token const& token) { return token.stop_requested(); }};
    CHECK(BoostJson::serialize(asks({}, stop.get_token())) == R"({"result":true})");

    Handler const counts{[count = std::make_unique<int>(0)](object const&) mutable { return ++*count; }};
    auto const shared = counts;
    CHECK(BoostJson::serialize(counts({})) == R"({"result":1})");
    CHECK(BoostJson::serialize(shared({})) == R"({"result":2})");
}

TEST_CASE("a specification without a handler says so") {
    CHECK_FALSE(Handler{});
    CHECK(Handler{[](object const&) {}});
}
