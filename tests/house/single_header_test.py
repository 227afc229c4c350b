# SPDX-License-Identifier: BSL-1.0
"""The single header does what the headers do: in any number of source files, in any mixture, with no definition twice."""

import unittest

from compiler import INCLUDE, SINGLE_INCLUDE, CompilerTest

USE = """
namespace {{
std::string mapped() {{
    return longshore::PathMapper{{"/home/me/project", "/workspace"}}.host_to_container("/home/me/project/{name}");
}}
}} // namespace
std::string {name}() {{ return mapped(); }}
"""
MAIN = """
std::string other();
int main() { return own() == "/workspace/own" && other() == "/workspace/other" ? 0 : 1; }
"""
WHOLE = "#include <longshore/longshore.hpp>\n"
STRONG = set("TDBRSGC")


def strong_symbols(nm_output):
    """The lines of nm for symbols of which a program may hold one definition only."""
    return [line for line in nm_output.splitlines() if line.split()[-2] in STRONG]


class SingleHeader(CompilerTest):
    def write_two_sources(self):
        self.write("own.cpp", WHOLE + "#include <string>\n" + USE.format(name="own") + MAIN)
        self.write("other.cpp", WHOLE + WHOLE + "#include <string>\n" + USE.format(name="other"))

    def test_two_sources_use_it_in_one_program_and_one_includes_it_twice(self):
        self.write_two_sources()
        objects = [self.compile(source, SINGLE_INCLUDE) for source in ("own.cpp", "other.cpp")]
        self.link_and_run(objects)

    def test_an_object_that_only_includes_it_defines_nothing_of_its_own(self):
        self.write("only.cpp", WHOLE)
        self.assertEqual(strong_symbols(self.run_command("nm", self.compile("only.cpp", SINGLE_INCLUDE))), [])

    def test_a_strong_symbol_would_be_seen(self):
        self.write("strong.cpp", "int function() { return 0; }\nint variable = 1;\ninline int weak() { return 2; }\n"
                                 "int use() { return weak(); }\n")
        self.assertEqual(len(strong_symbols(self.run_command("nm", self.compile("strong.cpp", INCLUDE)))), 3)

    def test_it_stands_beside_the_headers_in_one_source(self):
        self.write("both.cpp", WHOLE + f'#include "{INCLUDE}/longshore/longshore.hpp"\n')
        self.compile("both.cpp", SINGLE_INCLUDE)

    def test_both_ways_give_the_same_definitions_under_link_time_optimisation(self):
        if "clang" in self.compiler:
            self.skipTest("-Wodr is of g++")
        self.write_two_sources()
        lto = ("-flto", "-O1", "-Wodr", "-Werror=odr", "-Werror=lto-type-mismatch")
        objects = [self.compile("own.cpp", SINGLE_INCLUDE, *lto), self.compile("other.cpp", INCLUDE, *lto)]
        self.link_and_run(objects, *lto)


if __name__ == "__main__":
    unittest.main()
