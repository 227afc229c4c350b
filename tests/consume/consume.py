#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs a small program that gets the library in one way.

    consume.py WAY --build BUILD_FOLDER

The ways are the functions below. Each works in a fresh temporary folder, out of which nothing but the tree and, for
the installed ways, the build folder to install from is used.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
APP = HERE / "app"
SKIPPED = 77
COMPILER = os.environ.get("CXX", "g++")


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, **options)


def cmake_project(way, folder, *definitions):
    run("cmake", "-S", HERE / way, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", *definitions)
    run("cmake", "--build", folder / "build")
    run(folder / "build" / "app")


def install(build, folder):
    """Installs, then moves what was installed: a package must not remember where it stood."""
    run("cmake", "--install", build, "--prefix", folder / "first", stdout=subprocess.DEVNULL)
    prefix = folder / "moved"
    (folder / "first").rename(prefix)
    for text in [*prefix.rglob("*.cmake"), *prefix.rglob("*.pc")]:
        for place in (str(folder), str(TOP)):
            if place in text.read_text():
                sys.exit(f"{text.name} names the folder {place}")
    return prefix


def compile_by_hand(folder, *options):
    run(COMPILER, "-std=c++20", *options, *sorted(APP.glob("*.cpp")), "-o", folder / "app")
    run(folder / "app")


def find_package(build, folder):
    cmake_project("find_package", folder, f"-DCMAKE_PREFIX_PATH={install(build, folder)}")


def add_subdirectory(_, folder):
    cmake_project("add_subdirectory", folder, f"-DLONGSHORE_TREE={TOP}")


def fetch_content(_, folder):
    cmake_project("fetch_content", folder, f"-DLONGSHORE_TREE={TOP}")


def pkg_config(build, folder):
    environment = dict(os.environ, PKG_CONFIG_PATH=str(install(build, folder) / "share" / "pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", "longshore", env=environment, capture_output=True, text=True).stdout
    version = run("pkg-config", "--modversion", "longshore", env=environment, capture_output=True, text=True).stdout
    expected = run(sys.executable, TOP / "single_include" / "amalgamate.py", "--version", capture_output=True, text=True)
    if version != expected.stdout:
        sys.exit(f"pkg-config tells version {version}, not {expected.stdout}")
    compile_by_hand(folder, *flags.split())


def meson(_, folder):
    shutil.copytree(HERE / "meson", folder / "project", ignore=shutil.ignore_patterns("*.wrap"))
    shutil.copytree(APP, folder / "project" / "app", ignore=shutil.ignore_patterns("boost_json.cpp"))
    subprojects = folder / "project" / "subprojects"
    subprojects.mkdir()
    shutil.copy(HERE / "meson" / "longshore.wrap", subprojects)
    tree = subprojects / "longshore"
    tree.mkdir()
    for name in ("meson.build", "meson_options.txt", "LICENSE"):
        shutil.copy(TOP / name, tree)
    for name in ("include", "single_include"):
        shutil.copytree(TOP / name, tree / name)
    environment = dict(os.environ, CXX=COMPILER)
    run("meson", "setup", folder / "build", folder / "project", env=environment)
    run("ninja", "-C", folder / "build", "app")
    run(folder / "build" / "app")
    run("meson", "install", "-C", folder / "build", "--destdir", folder / "installed", stdout=subprocess.DEVNULL)
    if not list((folder / "installed").rglob("longshore/path_mapper.hpp")):
        sys.exit("meson install leaves out the headers")


def headers(_, folder):
    shutil.copytree(TOP / "include" / "longshore", folder / "third_party" / "longshore")
    compile_by_hand(folder, f"-I{folder / 'third_party'}", "-pthread")


def single_header(_, folder):
    """One file alone is vendored. The program's includes are those of a user of the single header."""
    vendored = folder / "third_party" / "longshore"
    vendored.mkdir(parents=True)
    shutil.copy(TOP / "single_include" / "longshore" / "longshore.hpp", vendored)
    sources = folder / "sources"
    sources.mkdir()
    for source in APP.glob("*.cpp"):
        lines = source.read_text().splitlines(keepends=True)
        whole = "#include <longshore/longshore.hpp>\n"
        (sources / source.name).write_text("".join(whole if "#include <longshore/" in line else line for line in lines))
    run(COMPILER, "-std=c++20", f"-I{vendored.parent}", "-pthread", *sorted(sources.glob("*.cpp")), "-o", folder / "app")
    run(folder / "app")


WAYS = {way.__name__: way for way in
        (find_package, add_subdirectory, fetch_content, pkg_config, meson, headers, single_header)}
NEEDED = {"find_package": "cmake", "add_subdirectory": "cmake", "fetch_content": "cmake", "pkg_config": "pkg-config",
          "meson": "meson"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("--build", required=True, help="a configured build folder of the library")
    options = parser.parse_args()
    needed = NEEDED.get(options.way)
    if needed and not shutil.which(needed):
        print(f"skipped: {needed} is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        WAYS[options.way](options.build, Path(folder).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
