# SPDX-License-Identifier: BSL-1.0
"""What only a compiler can tell of the headers: other people's macros, and what a synchronous user pays for."""

import re
import unittest

from compiler import INCLUDE, CompilerTest

WHOLE = "#include <longshore/longshore.hpp>\n"

# Macros that real headers define: windows.h, Xlib.h, sys/sysmacros.h, Qt, old Apple headers, old compilers.
HOSTILE = """
#define min(a, b) !
#define max(a, b) !
#define check(x) !
#define verify(x) !
#define small char
#define near
#define far
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define ERROR 0
#define DELETE 1
#define CONST const
#define STRICT 1
#define NO_ERROR 0
#define TRUE 1
#define FALSE 0
#define BOOL int
#define GetObject GetObjectW
#define CreateProcess CreateProcessW
#define GetMessage GetMessageW
#define Bool int
#define Status int
#define None 0L
#define Success 0
#define Always 2
#define Unsorted 0
#define major(x) !
#define minor(x) !
#define makedev(x, y) !
#undef linux
#undef unix
#define linux 1
#define unix 1
#define signals public
#define slots
#define emit
#define foreach !
#define forever !
#define nil 0
#define YES 1
#define NO 0
"""


class Headers(CompilerTest):
    def system_includes(self):
        """Every system header that an own header includes: those are not ours to protect."""
        found = set()
        for path in (INCLUDE / "longshore").rglob("*.hpp"):
            found.update(re.findall(r"^#include (<(?!longshore/)[^>]+>)", path.read_text(encoding="utf-8"), re.M))
        optional = ("<nlohmann", "<valijson", "<windows")
        return "".join(f"#include {name}\n" for name in sorted(found) if not name.startswith(optional))

    def test_compile_under_hostile_macros(self):
        self.write("hostile.cpp", self.system_includes() + HOSTILE + WHOLE)
        self.compile("hostile.cpp", INCLUDE)

    def test_hostile_macros_would_be_seen(self):
        self.write("hostile.cpp", "#include <algorithm>\n" + HOSTILE + "int smaller(int a) { return std::min(a, 1); }\n")
        with self.assertRaises(AssertionError):
            self.compile("hostile.cpp", INCLUDE)

    def test_a_synchronous_user_compiles_no_asio(self):
        self.write("synchronous.cpp", WHOLE)
        self.assertNotIn("boost/asio", self.dependencies("synchronous.cpp"))

    def test_who_maps_paths_needs_no_boost(self):
        self.write("paths.cpp", "#include <longshore/path_mapper.hpp>\n")
        self.assertNotIn("boost/", self.dependencies("paths.cpp"))

    def test_asio_would_be_seen(self):
        self.write("asynchronous.cpp", "#include <longshore/process/asio_launcher.hpp>\n")
        self.assertIn("boost/asio", self.dependencies("asynchronous.cpp"))

    def dependencies(self, source):
        return self.run_command(self.compiler, "-std=c++20", f"-I{INCLUDE}", "-M", source)


if __name__ == "__main__":
    unittest.main()
