# SPDX-License-Identifier: BSL-1.0
"""C++ is formatted as .clang-format says. Versions of clang-format differ, so another one than 14 is not asked."""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
FOLDERS = ("include", "tests", "examples")


def clang_format():
    """The clang-format to ask, or None."""
    for name in ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path and re.search(r"version 14\.", subprocess.run([path, "--version"], capture_output=True, text=True,
                                                             check=True).stdout):
            return path
    return None


class Format(unittest.TestCase):
    def test_every_source_is_formatted(self):
        files = [path for folder in FOLDERS for path in sorted((TOP / folder).rglob("*")) if path.suffix in (".hpp", ".cpp")]
        self.assertGreater(len(files), 10)
        done = subprocess.run([clang_format(), "--dry-run", "-Werror", *files], capture_output=True, text=True,
                              cwd=TOP, check=False)
        self.assertEqual(done.returncode, 0, "\n".join(re.findall(r"^.*: error:.*$", done.stderr, re.M)))


if __name__ == "__main__":
    if clang_format() is None:
        print("skipped: no clang-format 14")
        sys.exit(77)
    unittest.main()
