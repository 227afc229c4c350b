# SPDX-License-Identifier: BSL-1.0
"""The sources keep each rule of rules.py, and each rule is seen to fail on a sample that breaks it."""

import unittest
from pathlib import Path

import rules

TOP = Path(__file__).resolve().parents[2]
SPDX = "// " + rules.SPDX + "\n"


def header(name, *lines):
    guard = "LONGSHORE_" + name.removesuffix(".hpp").upper().replace("/", "_") + "_HPP"
    return SPDX + f"#ifndef {guard}\n#define {guard}\n" + "".join(line + "\n" for line in lines) + "#endif\n"


def sources(*named_lines, others=None):
    """Sources of headers, each given as (name, line...), and of other files."""
    made = {f"include/longshore/{name}": header(name, *lines) for name, *lines in named_lines}
    return rules.Sources(made | (others or {}))


# For each rule: sources that break it, and how many times.
BREACHES = {
    rules.layers_point_downwards: [
        (sources(("launch/a.hpp", "#include <longshore/container/b.hpp>"), ("container/b.hpp",)), 1),
        (sources(("error.hpp", "#include <longshore/launch/a.hpp>"), ("launch/a.hpp",)), 1),
        (sources(("launch/detail/a.hpp", "#include <longshore/process/b.hpp>"), ("process/b.hpp",)), 1),
        (sources(("launch/a.hpp", "#include <longshore/detail/b.hpp>"),
                 ("detail/b.hpp", "#include <longshore/detail/c.hpp>"),
                 ("detail/c.hpp", "#include <longshore/tool/d.hpp>"), ("tool/d.hpp",)), 1),
        (sources(("unheard_of/a.hpp",), ("unheard_of.hpp",)), 2),
    ],
    rules.libraries_are_seen_where_they_may_be: [
        (sources(("container/executor.hpp", "#include <boost/asio/post.hpp>")), 1),
        (sources(("tool/result.hpp", "#include <boost/json/value.hpp>")), 1),
        (sources(("json/boost_json.hpp", "#include <nlohmann/json.hpp>")), 1),
        (sources(("testing/suite.hpp", "#include <doctest/doctest.h>")), 1),
    ],
    rules.asynchronous_headers_are_asked_for: [
        (sources(("process/asio_launcher.hpp", "#include <boost/asio/post.hpp>"),
                 ("container/executor.hpp", "#include <longshore/container/middle.hpp>"),
                 ("container/middle.hpp", "#include <longshore/process/asio_launcher.hpp>"),
                 ("longshore.hpp", "#include <longshore/container/executor.hpp>")), 3),
    ],
    rules.no_costly_header_is_included: [
        (sources(("error.hpp", *(f"#include <{name}>" for name in sorted(rules.NEVER)))), len(rules.NEVER)),
    ],
    rules.the_lowest_headers_are_standard_only: [
        (sources(("path_mapper.hpp", "#include <boost/system/result.hpp>")), 1),
        (sources(("path_mapper.hpp", "#include <unistd.h>")), 1),
        (sources(("path_mapper.hpp", "#include <longshore/detail/path.hpp>"),
                 ("detail/path.hpp", "#include <boost/system/result.hpp>")), 1),
    ],
    rules.files_are_short: [
        (sources(("error.hpp", *["int a;"] * 397)), 1),
        (sources(others={"tests/unit/a_test.cpp": "\n" * 401, "tests/run.sh": "\n" * 401}), 2),
    ],
    rules.the_licence_stands_first: [
        (sources(others={"examples/a.cpp": "\n" + SPDX}), 1),
        (sources(others={"tests/run.sh": "#!/bin/sh\n", "meson.build": "project()\n"}), 2),
    ],
    rules.guards_are_named_after_the_path: [
        (sources(others={"include/longshore/error.hpp": header("other.hpp")}), 1),
        (sources(others={"include/longshore/error.hpp": SPDX + "#pragma once\n"}), 1),
    ],
    rules.macros_are_few: [
        (sources(("error.hpp", "#define LONGSHORE_OTHER 1")), 1),
        (sources(("config.hpp", "# define OTHER 1")), 1),
    ],
    rules.no_body_depends_on_what_is_installed: [
        (sources(("error.hpp", "#if __has_include(<boost/json.hpp>)", "#endif")), 1),
    ],
    rules.details_stay_hidden: [
        (sources(others={"README.md": "`longshore::detail::x`", "examples/a.cpp": "#include <longshore/detail/a.hpp>"}),
         2),
    ],
    rules.code_of_the_manual_is_compiled: [
        (sources(others={"README.md": "```cpp\nint a;\n```\n```cpp\nint b;\n```\n", "examples/a.cpp": "int a;\n"}), 1),
    ],
    rules.test_names_can_be_selected: [
        (sources(others={"tests/unit/a_test.cpp": 'TEST_CASE("a; b") {}\nSCENARIO("a [b]") {}\nTEST_CASE("a \\"b") {}\n'}),
         3),
    ],
    rules.test_names_are_unique: [
        (sources(others={"tests/unit/a_test.cpp": 'TEST_CASE("a") {}\n', "tests/unit/b_test.cpp": 'TEST_CASE("a") {}\n'}),
         1),
    ],
}

# What no rule may object to.
CLEAN = sources(
    ("error.hpp", "#include <string>"),
    ("config.hpp", "#define LONGSHORE_LINUX 1"),
    ("launch/a.hpp", "#include <longshore/error.hpp>", "#include <longshore/launch/b.hpp>"),
    ("launch/b.hpp", "#include <unistd.h>", "#include <longshore/detail/c.hpp>"),
    ("detail/c.hpp", "#include <longshore/launch/d.hpp>"),
    ("launch/d.hpp",),
    ("process/asio_launcher.hpp", "#include <boost/asio/post.hpp>"),
    ("longshore.hpp", "#include <longshore/launch/a.hpp>"),
    others={
        "tests/run.sh": "#!/bin/sh\n# " + rules.SPDX + "\n",
        "tests/unit/a_test.cpp": SPDX + 'TEST_CASE("a, b: c (d)") {}\n',
        "tests/integration/a_test.cpp": SPDX + 'TEST_CASE("a, b: c (d)") {}\n',
        "README.md": "in detail\n```cpp\nint a;\n```\n```sh\nint b;\n```\n",
        "examples/a.cpp": SPDX + "int a;\n",
    },
)


class TheSources(unittest.TestCase):
    def test_keep_each_rule(self):
        tree = rules.read(TOP)
        self.assertGreater(len(tree.headers), 10)
        for rule in rules.RULES:
            with self.subTest(rule.__name__):
                found = list(rule(tree))
                self.assertFalse(found, "\n" + "\n".join(found))


class TheRules(unittest.TestCase):
    def test_each_has_a_sample_that_breaks_it(self):
        self.assertEqual(set(rules.RULES), set(BREACHES))

    def test_each_sees_its_breaches(self):
        for rule, samples in BREACHES.items():
            for index, (sample, times) in enumerate(samples):
                with self.subTest(rule.__name__, sample=index):
                    found = list(rule(sample))
                    self.assertEqual(len(found), times, found)

    def test_none_objects_to_clean_sources(self):
        for rule in rules.RULES:
            with self.subTest(rule.__name__):
                self.assertEqual(list(rule(CLEAN)), [])


if __name__ == "__main__":
    unittest.main()
