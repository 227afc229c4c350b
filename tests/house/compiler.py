# SPDX-License-Identifier: BSL-1.0
"""Compiles small sources in a temporary folder, with the compiler that the build uses."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
INCLUDE = TOP / "include"
SINGLE_INCLUDE = TOP / "single_include"
WARNINGS = ("-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Werror").split()


class CompilerTest(unittest.TestCase):
    """Gives each test a folder and ways to compile, link and run in it. Environment: CXX, LONGSHORE_BOOST_JSON."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.compiler = os.environ.get("CXX", "g++")

    def run_command(self, *command):
        """Runs a command in the test's folder, and fails the test with what it printed when it fails."""
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True,
                              errors="replace", check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def compile(self, source, include, *options):
        """Compiles `source` to an object of the same stem, and gives its path."""
        result = self.folder / (Path(source).stem + ".o")
        self.run_command(self.compiler, "-std=c++20", *WARNINGS, f"-I{include}", *options, "-c", source, "-o", result)
        return result

    def link_and_run(self, objects, *options):
        boost_json = os.environ.get("LONGSHORE_BOOST_JSON")
        libraries = [boost_json] if boost_json else []
        self.run_command(self.compiler, *options, *objects, *libraries, "-pthread", "-o", "program")
        return self.run_command("./program")
