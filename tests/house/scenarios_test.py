# SPDX-License-Identifier: BSL-1.0
"""Every scenario of the specification is a test, under its title word for word."""

import re
import unittest
from pathlib import Path

import rules

TOP = Path(__file__).resolve().parents[2]

# Source: container_tool_exec.feature
TITLES = """
PathMapper maps host path to container path
PathMapper maps container path to host path
PathMapper returns unmapped path when outside root
PathMapper maps root path exactly
PathMapper is_host_path returns true for host paths
PathMapper is_container_path returns true for container paths
ContainerConfig has sensible defaults
ContainerMetadata is frozen and holds execution details
ContainerToolExecutor can be instantiated with config
ContainerToolExecutor maps input paths before execution
ContainerToolExecutor maps output paths after execution
ContainerToolExecutor handles nested input path mapping
ContainerToolExecutor reports timeout as structured error
ContainerToolExecutor reports non-zero exit as structured error
ContainerToolExecutor reports OSError as structured error
ContainerToolExecutor returns parsed JSON output on success
ContainerToolExecutor returns raw output when not JSON
_build_exec_command places --container-id flag adjacent to its value
ToolRunner delegates to ContainerToolExecutor when env is CONTAINER
ToolRunner returns error when container executor is not configured
ToolInvocation has container_metadata field
ToolInvocation container_metadata defaults to None
ContainerExecutionError carries exit_code and stderr
ContainerTimeoutError carries timeout_seconds
ContainerToolExecutor preserves negative exit codes from signal kills
_looks_like_path accepts paths with spaces
ContainerToolExecutor truncates output exceeding max bytes
sync_results_to_host rejects path traversal attempts
sync_results_to_host maps container path to host
execute_tool rejects empty tool_name
execute_tool rejects non-dict inputs
execute_tool rejects negative timeout_seconds
extract_container_metadata returns container dict from ToolResult
PathMapper rejects null bytes in host_root
PathMapper rejects null bytes in container_root
PathMapper rejects empty host_root
PathMapper rejects filesystem-root host_root
PathMapper rejects filesystem-root container_root
PathMapper rejects overlapping roots
PathMapper is_host_path returns false for null-byte paths
PathMapper is_container_path returns false for null-byte paths
ContainerConfig rejects relative workspace_folder
ContainerConfig rejects workspace_folder that normalises to root
ContainerConfig rejects workspace_folder with dotdot traversal
ContainerToolExecutor without devcontainer binary uses workspace-folder target args
ContainerToolExecutor raises when devcontainer binary is missing at execution
sync_results_to_host rejects null bytes in container_path
sync_results_to_host rejects relative container_path
sync_results_to_host raises on timeout during file sync
sync_results_to_host raises on non-zero exit during file sync
sync_results_to_host raises on OSError during file write
_looks_like_path rejects strings with newlines
_looks_like_path rejects strings with null bytes
_looks_like_path rejects protocol-relative URIs
_looks_like_path rejects strings with query parameters
_looks_like_path rejects strings with fragment identifiers
_looks_like_path rejects strings with scheme separators
_map_input_paths stops at max recursion depth
_map_output_paths stops at max recursion depth
_parse_output returns result key for non-dict JSON
_parse_output returns empty dict for blank stdout
_map_output_paths preserves raw_output without path mapping
execute_tool returns error for non-JSON-serialisable inputs
ToolRunner discover returns tools from registry
ToolRunner activate marks a tool as ready
ToolRunner activate raises ToolError for unknown tool
ToolRunner deactivate cleans up active tool
ToolRunner executes tool on host and returns success
ToolRunner normalises non-dict handler output
ToolRunner catches handler exception and returns error
ToolRunner returns error for non-JSON-serialisable host output
ToolRunner returns error for non-JSON-serialisable host inputs
ToolRunner raises ToolError for unregistered tool in execute
ToolRunner returns error when container env resolver raises ContainerUnavailableError
ToolRunner validates missing required input fields for container tools
ToolRunner returns error for non-JSON-serialisable container inputs
ToolRunner catches container executor exception
_map_input_paths handles list values containing host paths
_map_output_paths handles list values containing container paths
PathMapper host_to_container rejects null bytes
PathMapper container_to_host rejects null bytes
ToolResult rejects success=True with error message
ToolResult rejects success=False without error message
ToolError carries structured context attributes
""".strip().split("\n")

# A scenario that may be skipped, or fail, proves nothing.
SCENARIO = re.compile(r'^SCENARIO\("([^"]+)"\) \{', re.MULTILINE)


def scenarios(files):
    """The titles of the scenarios in the unit tests, each as often as it stands there."""
    return [
        title
        for path, text in files.items()
        if path.startswith("tests/unit/") and path.endswith("_test.cpp")
        for title in SCENARIO.findall(text)
    ]


class TheScenarios(unittest.TestCase):
    def test_are_eighty_four_with_different_titles(self):
        self.assertEqual(len(TITLES), 84)
        self.assertEqual(len(set(TITLES)), 84)

    def test_are_each_a_test(self):
        missing = set(TITLES) - set(scenarios(rules.read(TOP).files))
        self.assertFalse(missing, "\n" + "\n".join(sorted(missing)))

    def test_are_not_confused_with_other_tests(self):
        """The word is kept for the specification."""
        others = set(scenarios(rules.read(TOP).files)) - set(TITLES)
        self.assertFalse(others, "\n" + "\n".join(sorted(others)))


class TheSearch(unittest.TestCase):
    def test_sees_a_scenario_only_where_it_is_run(self):
        for text, seen in (
            ('SCENARIO("a b") {', ["a b"]),
            ('SCENARIO("a b") { CHECK(true); }', ["a b"]),
            ('// SCENARIO("a b") {', []),
            ('SCENARIO("a b" * doctest::skip()) {', []),
            ('TEST_CASE("a b") {', []),
        ):
            self.assertEqual(scenarios({"tests/unit/a_test.cpp": text + "\n"}), seen, text)

    def test_looks_into_unit_tests_alone(self):
        text = 'SCENARIO("a b") {}\n'
        self.assertEqual(scenarios({"tests/integration/a_test.cpp": text, "examples/a.cpp": text}), [])


if __name__ == "__main__":
    unittest.main()
