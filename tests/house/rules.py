# SPDX-License-Identifier: BSL-1.0
"""The rules that the sources keep, each a function from a `Sources` to lines that say where it is broken."""

import fnmatch
import re
from pathlib import Path

# A header includes its own layer or a lower one. A header in detail/ has the layer of the highest that it includes.
LAYERS = (
    ("longshore.hpp", 6),
    ("error.hpp", 0), ("timeout.hpp", 0), ("path_mapper.hpp", 0), ("version.hpp", 0), ("config.hpp", 0),
    ("fwd.hpp", 0), ("designated_only.hpp", 0),
    ("looks_like_path.hpp", 0), ("path_mapping_options.hpp", 0), ("json/*", 0), ("clock/*", 0),
    ("launch/*", 1),
    ("process/*", 2), ("filesystem/*", 2),
    ("container/*", 3),
    ("tool/basic_result.hpp", 3), ("tool/result.hpp", 3), ("tool/result_json.hpp", 3),  # values that executors make
    ("audit/record.hpp", 4),  # the value that runners make
    ("tool/*", 4), ("environment/*", 4), ("inline_tool/*", 4),
    ("audit/*", 5), ("testing/*", 5), ("mcp/*", 5),
)

# A library, and the only headers that may see it.
SEES = {
    "boost/asio": ("process/asio_launcher.hpp", "process/any_launcher.hpp", "process/detail/asio_*.hpp",
                   "container/async_executor.hpp", "tool/async_runner.hpp", "mcp/*"),
    "boost/json": ("json/boost_json.hpp", "json/detail/boost_json_*.hpp"),
    "nlohmann": ("json/nlohmann_json.hpp",),
    "valijson": ("json/valijson.hpp",),
    "doctest": (),
}

# What no header may include: each costs every user, or belongs into exactly one source file.
NEVER = {"regex", "iostream", "boost/asio.hpp", "boost/json.hpp", "boost/json/src.hpp"}

# Headers that bring in nothing but the standard library.
STANDARD_ONLY = ("path_mapper.hpp", "looks_like_path.hpp", "error.hpp", "timeout.hpp")

# Where macros may be defined, include guards apart.
MACROS = ("version.hpp", "config.hpp")

LINE_LIMIT = 400
SPDX = "SPDX-License-Identifier: BSL-1.0"
INCLUDE = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
TEST_NAME = re.compile(r'^\s*(?:TEST_CASE|SCENARIO|TEST_CASE_TEMPLATE)\("((?:[^"\\]|\\.)*)"', re.MULTILINE)
COMMENTED = {".hpp": "// ", ".cpp": "// ", ".py": "# ", ".sh": "# ", ".build": "# ", ".cmake": "# ", ".txt": "# "}
BY_SCRIPT = "single_include/longshore/"


class Sources:
    """Files of the project as text, by path from its top."""

    def __init__(self, files):
        self.files = files
        self.headers = {
            path.removeprefix("include/longshore/"): text
            for path, text in files.items()
            if path.startswith("include/longshore/") and path.endswith(".hpp")
        }

    def includes(self, name):
        return INCLUDE.findall(self.headers[name])

    def own_includes(self, name):
        return [path.removeprefix("longshore/") for path in self.includes(name) if path.startswith("longshore/")]

    def includes_known(self, name):
        return [included for included in self.own_includes(name) if included in self.headers]

    def system_includes(self, name):
        return [path for path in self.includes(name) if not path.startswith("longshore/")]

    def reached(self, name):
        """All own headers that `name` brings in, itself included."""
        found, waiting = set(), [name]
        while waiting:
            current = waiting.pop()
            if current not in found:
                found.add(current)
                waiting += self.includes_known(current)
        return found


def read(top):
    """The sources of the tree at `top`, without what builds and tools have left there."""
    files = {}
    for folder in ("include", "tests", "examples", "single_include"):
        for path in sorted((top / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                files[path.relative_to(top).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
    for name in ("README.md", "CMakeLists.txt", "meson.build", "meson_options.txt"):
        if (top / name).is_file():
            files[name] = (top / name).read_text(encoding="utf-8")
    return Sources(files)


def layer(sources, name, trail=()):
    """The layer of a header; None when the table has no place for it."""
    if name.startswith("detail/"):
        below = [layer(sources, included, (*trail, name)) for included in sources.includes_known(name)
                 if included not in trail]
        return max([number for number in below if number is not None], default=0)
    return next((number for pattern, number in LAYERS if fnmatch.fnmatchcase(name, pattern)), None)


def allowed(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def layers_point_downwards(sources):
    for name in sources.headers:
        own = layer(sources, name)
        if own is None:
            yield f"{name}: in no layer; add it to the table"
            continue
        for included in sources.includes_known(name):
            other = layer(sources, included)
            if other is not None and other > own:
                yield f"{name} (layer {own}) includes {included} (layer {other})"


def libraries_are_seen_where_they_may_be(sources):
    for name in sources.headers:
        for include in sources.system_includes(name):
            for library, patterns in SEES.items():
                if include.startswith(library) and not allowed(name, patterns):
                    yield f"{name}: includes <{include}>"


def asynchronous_headers_are_asked_for(sources):
    """Who runs synchronously never pays for Asio, through no header in between."""
    asio = {
        name for name in sources.headers
        if any(include.startswith("boost/asio") for include in sources.system_includes(name))
    }
    for name in sources.headers:
        if allowed(name, SEES["boost/asio"]):
            continue
        for culprit in sorted(sources.reached(name) & asio):
            yield f"{name}: brings in Asio through {culprit}"


def no_costly_header_is_included(sources):
    for name in sources.headers:
        for include in sources.system_includes(name):
            if include in NEVER:
                yield f"{name}: includes <{include}>"


def the_lowest_headers_are_standard_only(sources):
    for name in (name for name in STANDARD_ONLY if name in sources.headers):
        for reached in sorted(sources.reached(name)):
            for include in sources.system_includes(reached):
                if "/" in include or include.endswith(".h"):
                    yield f"{name}: brings in <{include}>, in {reached}"


def files_are_short(sources):
    for path, text in sources.files.items():
        if path.startswith(BY_SCRIPT) or not path.endswith((".hpp", ".cpp", ".py", ".sh")):
            continue
        if (lines := text.count("\n")) > LINE_LIMIT:
            yield f"{path}: {lines} lines, more than {LINE_LIMIT}"


def the_licence_stands_first(sources):
    for path, text in sources.files.items():
        mark = COMMENTED.get(Path(path).suffix)
        if mark is None:
            continue
        first, second = (text.split("\n") + ["", ""])[:2]
        if mark + SPDX != (second if first.startswith("#!") else first):
            yield f"{path}: the first line is not `{mark}{SPDX}`"


def guards_are_named_after_the_path(sources):
    for name, text in sources.headers.items():
        guard = "LONGSHORE_" + re.sub(r"[^A-Z0-9]", "_", name.removesuffix(".hpp").upper()) + "_HPP"
        if text.split("\n")[1:3] != [f"#ifndef {guard}", f"#define {guard}"] or not text.endswith("#endif\n"):
            yield f"{name}: not guarded by {guard}"


def macros_are_few(sources):
    for name, text in sources.headers.items():
        for macro in re.findall(r"^\s*#\s*define\s+(\w+)", text, re.MULTILINE)[1:]:
            if name not in MACROS or not macro.startswith("LONGSHORE_"):
                yield f"{name}: defines {macro}"


def no_body_depends_on_what_is_installed(sources):
    for name, text in sources.headers.items():
        if "__has_include" in text:
            yield f"{name}: asks __has_include"


def details_stay_hidden(sources):
    for path, text in sources.files.items():
        if path == "README.md" or path.startswith("examples/"):
            if re.search(r"\bdetail(::|/)", text):
                yield f"{path}: names detail"


def code_of_the_manual_is_compiled(sources):
    """Each C++ block of the README stands, line for line, in a source that the tests compile."""
    compiled = [text for path, text in sources.files.items()
                if path.startswith(("examples/", "tests/consume/app/")) and path.endswith(".cpp")]
    for block in re.findall(r"^```cpp\n(.*?)^```", sources.files.get("README.md", ""), re.MULTILINE | re.DOTALL):
        if not any(block.strip() in text for text in compiled):
            yield f"README.md: no example holds the block that begins with: {block.splitlines()[0]}"


def test_names_can_be_selected(sources):
    """ctest runs each test by its name, which goes through a CMake list and doctest's own patterns."""
    for path, text in sources.files.items():
        if not (path.startswith("tests/") and path.endswith("_test.cpp")):
            continue
        for name in TEST_NAME.findall(text):
            if re.search(r"[][;\\*?$]", name):
                yield f"{path}: a test's name holds one of []; \\*?$: {name}"


def test_names_are_unique(sources):
    seen = {}
    for path, text in sources.files.items():
        if not (path.startswith("tests/") and path.endswith("_test.cpp")):
            continue
        program = path.split("/")[1]
        for name in TEST_NAME.findall(text):
            first = seen.setdefault((program, name), path)
            if first is not path or text.count(f'("{name}"') > 1:
                yield f"{path}: a second test with the name: {name}"


RULES = (
    layers_point_downwards,
    libraries_are_seen_where_they_may_be,
    asynchronous_headers_are_asked_for,
    no_costly_header_is_included,
    the_lowest_headers_are_standard_only,
    files_are_short,
    the_licence_stands_first,
    guards_are_named_after_the_path,
    macros_are_few,
    no_body_depends_on_what_is_installed,
    details_stay_hidden,
    code_of_the_manual_is_compiled,
    test_names_can_be_selected,
    test_names_are_unique,
)
