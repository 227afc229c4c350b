// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>
#include <longshore/json/path_rewriter.hpp>

#include <boost/json/monotonic_resource.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

using longshore::BoostJson;
using longshore::mapped_text;
using longshore::PathDirection;
using longshore::PathMapper;
using longshore::PathMappingOptions;
using longshore::PathRewriter;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

PathMapper const mapper{"/tmp/sandbox", "/workspace"};

struct Rewritten {
    std::string text;
    std::size_t changes;

    friend bool operator==(Rewritten const&, Rewritten const&) = default;
};

std::ostream& operator<<(std::ostream& stream, Rewritten const& result) {
    return stream << result.text << " with " << result.changes << " changes";
}

Rewritten inputs(std::string_view text, PathMappingOptions const& options = {}) {
    auto document = BoostJson::parse(text).value();
    auto const changes = PathRewriter<BoostJson>{mapper, options}.map_inputs(document);
    return {BoostJson::serialize(document), changes};
}

Rewritten outputs(std::string_view text, PathMappingOptions const& options = {}) {
    auto document = BoostJson::parse(text).value();
    auto const changes = PathRewriter<BoostJson>{mapper, options}.map_outputs(document);
    return {BoostJson::serialize(document), changes};
}

// A mapper of a user's own: it shares nothing with PathMapper and counts what it is asked.
class SuffixMapper {
public:
    std::string host_to_container(std::string_view path) const {
        ++calls_;
        return std::string{path} + ".c";
    }
    char const* container_to_host(std::string_view) const {
        ++calls_;
        return "/host";
    }
    int calls() const { return calls_; }

private:
    mutable int calls_ = 0;
};

std::string nested_arrays(std::size_t depth, std::string_view middle) {
    return std::string(depth, '[') + std::string{middle} + std::string(depth, ']');
}

} // namespace

TEST_CASE("whole string values that are paths are mapped in place and counted, everything else stays") {
    CHECK(inputs(R"({"path":"/tmp/sandbox/src/main.py","count":5})") ==
          Rewritten{R"({"path":"/workspace/src/main.py","count":5})", 1});
    CHECK(outputs(R"({"path":"/workspace/build/output.txt","ok":true})") ==
          Rewritten{R"({"path":"/tmp/sandbox/build/output.txt","ok":true})", 1});
    CHECK(inputs(R"({"a":{"b":["/tmp/sandbox/x",{"c":"/tmp/sandbox"}]},"d":"/tmp/sandbox/y"})") ==
          Rewritten{R"({"a":{"b":["/workspace/x",{"c":"/workspace"}]},"d":"/workspace/y"})", 3});
    CHECK(inputs(R"("/tmp/sandbox/My Documents/f")") == Rewritten{R"("/workspace/My Documents/f")", 1});
    CHECK(inputs("[null,1,-1.5E0,{},[]]") == Rewritten{"[null,1,-1.5E0,{},[]]", 0});
}

TEST_CASE("by default only whole values are mapped: no names, no embedded forms, no URIs, no scripts") {
    for (auto const text :
         {R"({"/tmp/sandbox/key":1})"sv, R"(["--out=/tmp/sandbox/x"])"sv, R"(["a:/tmp/sandbox/b"])"sv,
          R"(["cd /tmp/sandbox\n/tmp/sandbox/run"])"sv, R"(["/tmp/sandbox/a\n"])"sv,
          R"(["file:///tmp/sandbox/a"])"sv, R"(["file:/tmp/sandbox/a"])"sv, R"(["/tmp/sandbox/a?b"])"sv,
          R"(["/tmp/sandbox/a#b"])"sv, R"(["//tmp/sandbox/a"])"sv, R"(["/tmp/sandbox2/x"])"sv,
          R"(["/tmp/sandbox/../x"])"sv,
          R"(["C:\\tmp\\sandbox","c:/tmp/sandbox","\\\\wsl$\\tmp\\sandbox"])"sv}) {
        CAPTURE(text);
        CHECK(inputs(text) == Rewritten{std::string{text}, 0});
    }
}

TEST_CASE("a string with a NUL passes unmapped, whatever is asked for") {
    PathMappingOptions const everything{true, true, true, {}};
    for (auto const text : {R"(["/tmp/sandbox/a\u0000b"])"sv, R"(["x=/tmp/sandbox/a \u0000"])"sv,
                            R"(["file:///tmp/sandbox/\u0000"])"sv, R"({"/tmp/sandbox/\u0000":1})"sv}) {
        CAPTURE(text);
        CHECK(inputs(text, everything) == Rewritten{std::string{text}, 0});
    }
}

TEST_CASE("the member raw_output at the top of an output is left alone, and only there") {
    CHECK(outputs(R"({"raw_output":"/workspace/x","a":{"raw_output":"/workspace/y"}})") ==
          Rewritten{R"({"raw_output":"/workspace/x","a":{"raw_output":"/tmp/sandbox/y"}})", 1});
    CHECK(outputs(R"({"raw_output":{"deep":["/workspace/x"]}})").changes == 0);
    CHECK(outputs(R"([{"raw_output":"/workspace/x"}])").changes == 1);
    CHECK(inputs(R"({"raw_output":"/tmp/sandbox/x"})").changes == 1);
    CHECK(outputs(R"({"":"/workspace/x"})").changes == 1);
}

TEST_CASE("an object that its owner holds is mapped as a document is") {
    BoostJson::object object;
    BoostJson::insert(object, "path", BoostJson::make("/tmp/sandbox/x"));
    PathRewriter<BoostJson> const rewriter{mapper};
    CHECK(rewriter.map_inputs(object) == 1);
    CHECK(BoostJson::serialize(object) == R"({"path":"/workspace/x"})");
    CHECK(rewriter.map_outputs(object) == 1);
    CHECK(BoostJson::serialize(object) == R"({"path":"/tmp/sandbox/x"})");
}

TEST_CASE("values inside a hundred objects and arrays are mapped, deeper ones stay as they are") {
    CHECK(inputs(nested_arrays(100, R"("/tmp/sandbox")")) ==
          Rewritten{nested_arrays(100, R"("/workspace")"), 1});
    CHECK(inputs(nested_arrays(101, R"("/tmp/sandbox")")).changes == 0);
    CHECK(inputs(nested_arrays(99, R"({"/tmp/sandbox":"/tmp/sandbox"})"), {.map_keys = true}) ==
          Rewritten{nested_arrays(99, R"({"/workspace":"/workspace"})"), 2});
    CHECK(inputs(nested_arrays(100, R"({"/tmp/sandbox":"/tmp/sandbox"})"), {.map_keys = true}).changes == 0);
    CHECK(outputs(nested_arrays(512, R"("/workspace")")).changes == 0);
}

TEST_CASE("a document of a hundred thousand levels that was built by hand is mapped down to the limit") {
    boost::json::monotonic_resource memory;
    boost::json::value document("/tmp/sandbox/deepest", &memory);
    for (int level = 0; level < 100000; ++level) {
        boost::json::array outer(&memory);
        outer.emplace_back("/tmp/sandbox");
        outer.push_back(std::move(document));
        document = std::move(outer);
    }
    CHECK(PathRewriter<BoostJson>{mapper}.map_inputs(document) == 100);
}

TEST_CASE("names are mapped on request, and keep their order") {
    PathMappingOptions const options{.map_keys = true};
    CHECK(inputs(R"({"z":1,"/tmp/sandbox/a":"/tmp/sandbox/b","/usr":2})", options) ==
          Rewritten{R"({"z":1,"/workspace/a":"/workspace/b","/usr":2})", 2});
    CHECK(outputs(R"([{"/workspace":{"/workspace/x":1}}])", options) ==
          Rewritten{R"([{"/tmp/sandbox":{"/tmp/sandbox/x":1}}])", 2});
}

TEST_CASE("members of the names to leave alone stay, with all that is in them, at any depth") {
    PathMappingOptions options{.keys_to_leave_alone = {"host_path", "/tmp/sandbox/k"}};
    CHECK(inputs(R"({"host_path":["/tmp/sandbox/a"],"b":{"host_path":"/tmp/sandbox"},"c":"/tmp/sandbox"})",
                 options) ==
          Rewritten{R"({"host_path":["/tmp/sandbox/a"],"b":{"host_path":"/tmp/sandbox"},"c":"/workspace"})",
                    1});
    options.map_keys = true;
    CHECK(inputs(R"({"/tmp/sandbox/k":"/tmp/sandbox","/tmp/sandbox/l":1})", options) ==
          Rewritten{R"({"/tmp/sandbox/k":"/tmp/sandbox","/workspace/l":1})", 1});
}

TEST_CASE("file URIs are mapped on request") {
    PathMappingOptions const options{.map_file_uris = true};
    CHECK(
        inputs(R"(["file:///tmp/sandbox/My%20Doc/a","file://localhost/tmp/sandbox","file:/tmp/sandbox/a"])",
               options) ==
        Rewritten{R"(["file:///workspace/My%20Doc/a","file://localhost/workspace","file:/workspace/a"])", 3});
    CHECK(outputs(R"(["file:///workspace/a%20b","/workspace/a b"])", options) ==
          Rewritten{R"(["file:///tmp/sandbox/a%20b","/tmp/sandbox/a b"])", 2});
    CHECK(inputs(R"(["file://server/tmp/sandbox","http://h/tmp/sandbox","x file:///tmp/sandbox"])", options)
              .changes == 0);
}

TEST_CASE("embedded forms are mapped on request, and so are whole values") {
    PathMappingOptions const options{.map_embedded = true};
    CHECK(inputs(R"(["--out=/tmp/sandbox/x","a:/tmp/sandbox/b","cd /tmp/sandbox\n./run /tmp/sandbox/y"])",
                 options) ==
          Rewritten{R"(["--out=/workspace/x","a:/workspace/b","cd /workspace\n./run /workspace/y"])", 3});
    CHECK(inputs(R"(["/tmp/sandbox/a b","file:///tmp/sandbox"])", options) ==
          Rewritten{R"(["/workspace/a b","file:///tmp/sandbox"])", 1});
    PathMapper const spaced{"/tmp/My Work", "/workspace"};
    CHECK(mapped_text("/tmp/My Work/a", spaced, PathDirection::to_container, options) == "/workspace/a");
}

TEST_CASE("file URIs keep their own rules when embedded forms are mapped too") {
    PathMappingOptions const options{.map_file_uris = true, .map_embedded = true};
    CHECK(inputs(R"(["file:/tmp/sandbox/%2F","file:///tmp/sandbox/a%20b"])", options) ==
          Rewritten{R"(["file:/tmp/sandbox/%2F","file:///workspace/a%20b"])", 1});
}

TEST_CASE("a mapper of any type is asked once for each value that looks like a path") {
    SuffixMapper const own;
    auto document = BoostJson::parse(R"(["/a",{"k":"/b"},"no","//no",1])").value();
    PathRewriter<BoostJson, SuffixMapper> const rewriter{own};
    CHECK(rewriter.map_inputs(document) == 2);
    CHECK(own.calls() == 2);
    CHECK(BoostJson::serialize(document) == R"(["/a.c",{"k":"/b.c"},"no","//no",1])");
    CHECK(rewriter.map_outputs(document) == 2);
    CHECK(BoostJson::serialize(document) == R"(["/host",{"k":"/host"},"no","//no",1])");
    PathMappingOptions const everything{true, true, true, {}};
    CHECK(mapped_text("-o=/a /b", own, PathDirection::to_container, everything) == "-o=/a.c /b.c");
}

TEST_CASE("options are all off unless they are asked for") {
    CHECK(PathMappingOptions{} == PathMappingOptions{false, false, false, {}});
}
