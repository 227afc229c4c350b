#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes single_include/longshore/: longshore.hpp, the whole library in one header, and beside it each opt-in header.

    amalgamate.py            write
    amalgamate.py --check    exit 1 and name what differs when the committed text is not what would be written
    amalgamate.py --version  print the version that include/longshore/version.hpp states

The text of each header is kept as it is, docs included. Own includes are taken out, and what they name stands before
the header that needs it; system includes stay where they are. Whatever the script cannot be sure to understand, it
refuses with the file and the line.
"""

import argparse
import re
import sys
from pathlib import Path

UMBRELLA = "longshore.hpp"

# Headers that ask for a library most users do not have. The umbrella must not reach them; each stays a file of its
# own, beside the single header.
OPT_IN = ("json/nlohmann_json.hpp", "json/valijson.hpp", "process/asio_launcher.hpp", "container/async_executor.hpp",
          "tool/async_runner.hpp", "mcp/*.hpp")

SPDX = "// SPDX-License-Identifier: BSL-1.0"
OWN_INCLUDE = re.compile(r"#include <longshore/([a-z0-9_/]+\.hpp)>")
SYSTEM_INCLUDE = re.compile(r"#include <(?!longshore\b)[A-Za-z0-9_./-]+>( //.*)?")
ANY_INCLUDE = re.compile(r"\s*(#|%:|\?\?=)\s*(include|include_next|import)\b")
CONDITIONAL = re.compile(r"\s*#\s*(if|ifdef|ifndef)\b")
CONDITIONAL_END = re.compile(r"\s*#\s*endif\b")
CODE = re.compile(r"\s*[^\s#/]")
VERSION = re.compile(r'^#define LONGSHORE_VERSION_STRING "(\d+\.\d+\.\d+)"$', re.MULTILINE)


class Refused(Exception):
    """The tree holds something that cannot be amalgamated faithfully. The text names the file and the reason."""


def guard_of(name):
    """The include guard of a header, from its path below include/longshore."""
    stem = name.removesuffix(".hpp")
    return "LONGSHORE_" + re.sub(r"[^A-Z0-9]", "_", stem.upper()) + "_HPP"


class Header:
    """One header: its text without own includes, and the own headers that it includes, in their order."""

    def __init__(self, name, text):
        self.name = name
        self.includes = []
        self.body = self._read(text)

    def _refuse(self, number, why):
        raise Refused(f"{self.name}:{number}: {why}")

    def _read(self, text):
        if "\r" in text:
            self._refuse(text[: text.index("\r")].count("\n") + 1, "a carriage return")
        lines = text.split("\n")
        guard = guard_of(self.name)
        if lines[:3] != [SPDX, f"#ifndef {guard}", f"#define {guard}"]:
            self._refuse(1, f"does not begin with the SPDX line and the guard {guard}")
        self._code_seen = False
        self._conditionals = 1  # the guard's
        kept = [lines[1]]
        for number, line in enumerate(lines[2:], 3):
            if not self._keep(number, line):
                continue
            if line == "" and kept[-1] == "" and not self._code_seen:
                continue  # the gap that a block of own includes left
            kept.append(line)
        return "\n".join(kept).strip("\n") + "\n"

    def _keep(self, number, line):
        """Takes note of one line, and tells whether it stays in the text."""
        if ANY_INCLUDE.match(line):
            return self._keep_include(number, line)
        if CODE.match(line):
            self._code_seen = True
        elif CONDITIONAL.match(line):
            self._conditionals += 1
        elif CONDITIONAL_END.match(line):
            self._conditionals -= 1
        return True

    def _keep_include(self, number, line):
        if SYSTEM_INCLUDE.fullmatch(line):
            return True
        own = OWN_INCLUDE.fullmatch(line)
        if not own:
            self._refuse(number, f"unknown spelling of an include: {line.strip()}")
        if self._code_seen:
            self._refuse(number, f"an own include below code: {own[1]}")
        if self._conditionals != 1:  # 1: the guard
            self._refuse(number, f"a conditional own include: {own[1]}")
        self.includes.append(own[1])
        return False


class Tree:
    """The headers of the library, by their path below include/longshore."""

    def __init__(self, root):
        folder = Path(root) / "include" / "longshore"
        self.license = (Path(root) / "LICENSE").read_text(encoding="utf-8")
        self.version = read_version(root)
        self.headers = {}
        for path in sorted(folder.rglob("*.hpp")):
            name = path.relative_to(folder).as_posix()
            self.headers[name] = Header(name, path.read_bytes().decode("utf-8"))
        if UMBRELLA not in self.headers:
            raise Refused(f"{UMBRELLA}: there is no umbrella header")

    def opt_in(self):
        return [name for name in self.headers if any(Path(name).match(pattern) for pattern in OPT_IN)]

    def order(self, name, done=()):
        """`name` and all that it reaches and that is not in `done`, each after what it includes."""
        ordered = {}
        self._visit(name, [], ordered, frozenset(done))
        return list(ordered)

    def _visit(self, name, trail, ordered, done):
        if name in trail:
            raise Refused("a circle of includes: " + " -> ".join(trail[trail.index(name) :] + [name]))
        if name in ordered or name in done:
            return
        if name not in self.headers:
            raise Refused(f"{trail[-1]}: includes {name}, which does not exist")
        for included in self.headers[name].includes:
            self._visit(included, trail + [name], ordered, done)
        ordered[name] = None


def read_version(root):
    """The one version, from version.hpp."""
    path = Path(root) / "include" / "longshore" / "version.hpp"
    found = VERSION.search(path.read_text(encoding="utf-8"))
    if not found:
        raise Refused("version.hpp: no LONGSHORE_VERSION_STRING")
    return found[1]


def sections(tree, names):
    return "".join(f"\n// ---- <longshore/{name}> ----\n\n{tree.headers[name].body}" for name in names)


def banner(tree, what):
    license_lines = "".join(f"// {line}".rstrip() + "\n" for line in tree.license.rstrip("\n").split("\n"))
    return (
        f"{SPDX}\n//\n// longshore {tree.version}, {what}\n"
        "// Generated by single_include/amalgamate.py from include/longshore: change it there, not here.\n//\n"
        f"{license_lines}"
    )


def guarded(tree, name, what, text):
    guard = guard_of(name).replace("LONGSHORE_", "LONGSHORE_SINGLE_INCLUDE_", 1)
    return f"{banner(tree, what)}#ifndef {guard}\n#define {guard}\n{text}\n#endif // {guard}\n"


def amalgamate(root):
    """What belongs into single_include/longshore: a dict from file name to text."""
    tree = Tree(root)
    single = tree.order(UMBRELLA)
    opt_in = tree.opt_in()
    for name in opt_in:
        if name in single:
            raise Refused(f"{name}: an opt-in header that the umbrella reaches")
    files = {UMBRELLA: guarded(tree, UMBRELLA, "the whole library in one header.", sections(tree, single))}
    reached = set(single)
    for name in opt_in:
        others = [other for other in opt_in if other != name]
        rest = tree.order(name, single + others)
        files[name] = guarded(tree, name, "an opt-in header, for users of the single header.",
                              borrowed(tree, name, others) + sections(tree, rest))
        reached.update(rest)
    for name in tree.headers:
        if name not in reached:
            raise Refused(f"{name}: reachable neither from {UMBRELLA} nor from an opt-in header")
    return files


def borrowed(tree, name, opt_in):
    """The include lines by which an opt-in header gets what stands in other generated files."""
    others = [other for other in tree.headers[name].includes if other in opt_in]
    return "\n" + "".join(f"#include <longshore/{included}>\n" for included in [UMBRELLA, *others])


def check(folder, files):
    """The names of the files that differ from `files`, those that should not be there included."""
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*.hpp")}
    wrong = present - set(files)
    for name, text in files.items():
        if name not in present or (folder / name).read_bytes() != text.encode("utf-8"):
            wrong.add(name)
    return sorted(wrong)


def write(folder, files):
    for name in check(folder, files):
        path = folder / name
        if name not in files:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name].encode("utf-8"))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--version", action="store_true", help="print the library's version")
    parser.add_argument("--root", default=Path(__file__).resolve().parent.parent, help="the top of the tree")
    parser.add_argument("--output", help="write there instead of single_include/longshore")
    options = parser.parse_args(arguments)
    try:
        if options.version:
            print(read_version(options.root))
            return 0
        files = amalgamate(options.root)
    except (Refused, OSError, UnicodeDecodeError) as problem:
        print(f"amalgamate.py: {problem}", file=sys.stderr)
        return 1
    folder = Path(options.output or Path(options.root) / "single_include" / "longshore")
    if not options.check:
        write(folder, files)
        return 0
    wrong = check(folder, files)
    for name in wrong:
        print(f"amalgamate.py: {name} is not what the headers say; run single_include/amalgamate.py", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
