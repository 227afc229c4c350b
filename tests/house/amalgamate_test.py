# SPDX-License-Identifier: BSL-1.0
"""What single_include/amalgamate.py writes, and each thing that it refuses."""

import contextlib
import importlib.util
import io
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def load_script():
    spec = importlib.util.spec_from_file_location("amalgamate", TOP / "single_include" / "amalgamate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


amalgamate = load_script()


def header(name, body="", includes=()):
    guard = amalgamate.guard_of(name)
    own = "".join(f"#include <longshore/{included}>\n" for included in includes)
    return f"{amalgamate.SPDX}\n#ifndef {guard}\n#define {guard}\n\n{own}\n{body}\n#endif\n"


class Sample(unittest.TestCase):
    """A small tree in a temporary folder: the umbrella reaches b, b and the umbrella reach a."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "LICENSE").write_text("A licence.\n\nIts text.\n")
        self.put("version.hpp", '#define LONGSHORE_VERSION_STRING "1.2.3"\n')
        self.put("a.hpp", "/// One.\nint  one();  // kept as it is\n")
        self.put("b.hpp", "#include <string>\n\nint two();\n", ["a.hpp"])
        self.put("longshore.hpp", "", ["version.hpp", "b.hpp", "a.hpp"])

    def put(self, name, body="", includes=()):
        self.put_text(name, header(name, body, includes))

    def put_text(self, name, text):
        path = self.root / "include" / "longshore" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = amalgamate.main(["--root", str(self.root), *arguments])
        return status, out.getvalue(), err.getvalue()

    def written(self, name="longshore.hpp"):
        return (self.root / "single_include" / "longshore" / name).read_text()

    def assert_refused(self, reason):
        status, _, err = self.run_script()
        self.assertEqual(status, 1)
        self.assertIn(reason, err)
        self.assertFalse((self.root / "single_include").exists(), "something was written all the same")


class Writing(Sample):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_script(), (0, "", ""))

    def test_each_header_stands_once_and_after_what_it_includes(self):
        text = self.written()
        self.assertEqual(text.count("int  one();"), 1)
        self.assertLess(text.index("int  one();"), text.index("int two();"))

    def test_no_own_include_is_left(self):
        self.assertNotIn("#include <longshore", self.written())

    def test_docs_and_spacing_are_kept(self):
        self.assertIn("/// One.\nint  one();  // kept as it is\n", self.written())

    def test_system_includes_stay_in_place(self):
        text = self.written()
        self.assertEqual(text.count("#include <string>"), 1)
        self.assertLess(text.index("#define LONGSHORE_B_HPP"), text.index("#include <string>"))

    def test_the_licence_and_the_version_stand_at_the_top(self):
        top = self.written()[:400]
        self.assertTrue(top.startswith(amalgamate.SPDX))
        self.assertIn("longshore 1.2.3,", top)
        self.assertIn("// A licence.\n//\n// Its text.\n", top)

    def test_the_same_tree_gives_the_same_bytes(self):
        before = self.written()
        self.run_script()
        self.assertEqual(self.written(), before)
        self.assertEqual(self.run_script("--check"), (0, "", ""))

    def test_check_names_what_changed(self):
        self.put("a.hpp", "int uno();\n")
        status, _, err = self.run_script("--check")
        self.assertEqual(status, 1)
        self.assertIn("longshore.hpp is not what the headers say", err)
        self.assertIn("int  one();", self.written(), "--check has written")

    def test_a_stray_file_beside_the_single_header_is_named_and_then_removed(self):
        stray = self.root / "single_include" / "longshore" / "old.hpp"
        stray.write_text("")
        self.assertIn("old.hpp", self.run_script("--check")[2])
        self.run_script()
        self.assertFalse(stray.exists())

    def test_version_is_the_one_in_version_hpp(self):
        self.assertEqual(self.run_script("--version"), (0, "1.2.3\n", ""))


class OptIn(Sample):
    def test_an_opt_in_header_is_a_file_of_its_own_on_top_of_the_single_header(self):
        self.put("json/nlohmann_json.hpp", "int three();\n", ["a.hpp", "detail/only_here.hpp"])
        self.put("detail/only_here.hpp", "int four();\n")
        self.assertEqual(self.run_script(), (0, "", ""))
        self.assertNotIn("int three();", self.written())
        text = self.written("json/nlohmann_json.hpp")
        self.assertEqual(text.count("#include <longshore/"), 1)
        self.assertIn("#include <longshore/longshore.hpp>\n", text)
        self.assertNotIn("int  one();", text)
        self.assertLess(text.index("int four();"), text.index("int three();"))

    def test_an_opt_in_header_includes_another_one_by_name(self):
        self.put("mcp/frame.hpp", "int three();\n")
        self.put("mcp/server.hpp", "int four();\n", ["mcp/frame.hpp"])
        self.assertEqual(self.run_script(), (0, "", ""))
        text = self.written("mcp/server.hpp")
        self.assertIn("#include <longshore/mcp/frame.hpp>\n", text)
        self.assertNotIn("int three();", text)

    def test_an_opt_in_header_that_the_umbrella_reaches_is_refused(self):
        self.put("json/nlohmann_json.hpp")
        self.put("a.hpp", "", ["json/nlohmann_json.hpp"])
        self.assert_refused("json/nlohmann_json.hpp: an opt-in header that the umbrella reaches")


class Refusals(Sample):
    def test_unknown_spellings_of_an_include(self):
        for line in ('#include "longshore/a.hpp"', '#include "other.hpp"', "# include <longshore/a.hpp>",
                     "#include <longshore/a.hpp> // why", "#include  <string>", "#include<string>", "#include NAME",
                     " #include <string>", "#include_next <string>", "#import <string>", "%:include <string>",
                     "#include <longshore/A.hpp>", "#include <longshore/../a.hpp>", "#include <longshore/a.h>"):
            with self.subTest(line=line):
                self.put("b.hpp", line + "\nint two();\n")
                self.assert_refused("b.hpp:6: unknown spelling of an include")

    def test_a_conditional_own_include(self):
        for condition in ("#if 1", "#ifdef NAME", "#ifndef NAME", "# if 1"):
            with self.subTest(condition=condition):
                self.put("b.hpp", f"{condition}\n#include <longshore/a.hpp>\n#endif\n")
                self.assert_refused("b.hpp:7: a conditional own include: a.hpp")

    def test_an_own_include_below_code(self):
        self.put("b.hpp", "namespace longshore {\n#include <longshore/a.hpp>\n}\n")
        self.assert_refused("b.hpp:7: an own include below code: a.hpp")

    def test_a_circle(self):
        self.put("a.hpp", "", ["b.hpp"])
        self.assert_refused("a circle of includes: b.hpp -> a.hpp -> b.hpp")

    def test_a_header_that_includes_itself(self):
        self.put("a.hpp", "", ["a.hpp"])
        self.assert_refused("a circle of includes: a.hpp -> a.hpp")

    def test_a_header_that_does_not_exist(self):
        self.put("b.hpp", "", ["missing.hpp"])
        self.assert_refused("b.hpp: includes missing.hpp, which does not exist")

    def test_a_header_that_nothing_reaches(self):
        self.put("lonely.hpp")
        self.assert_refused("lonely.hpp: reachable neither from longshore.hpp nor from an opt-in header")

    def test_a_foreign_guard_or_a_missing_spdx_line(self):
        for text in (header("c.hpp"), header("b.hpp").split("\n", 1)[1], "#pragma once\n"):
            with self.subTest(text=text):
                self.put_text("b.hpp", text)
                self.assert_refused("b.hpp:1: does not begin with the SPDX line and the guard LONGSHORE_B_HPP")

    def test_a_carriage_return(self):
        path = self.root / "include" / "longshore" / "b.hpp"
        path.write_bytes(header("b.hpp").encode().replace(b"\n\nint", b"\r\nint").replace(b"#endif\n", b"#endif\r\n"))
        self.assert_refused("a carriage return")

    def test_bytes_that_are_not_utf_8(self):
        (self.root / "include" / "longshore" / "b.hpp").write_bytes(header("b.hpp").encode() + b"// \xff\n")
        self.assert_refused("utf-8")

    def test_no_umbrella(self):
        (self.root / "include" / "longshore" / "longshore.hpp").unlink()
        self.assert_refused("there is no umbrella header")

    def test_no_version(self):
        self.put("version.hpp")
        self.assert_refused("version.hpp: no LONGSHORE_VERSION_STRING")


class Repository(unittest.TestCase):
    def test_the_committed_single_header_is_fresh(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(amalgamate.main(["--check"]), 0, err.getvalue())


if __name__ == "__main__":
    unittest.main()
