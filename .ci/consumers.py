"""What programs read in the formats of one run, compared with its JSON report.

    consumers.py NAME DIRECTORY [SEVERITY]

The directory has the formats, the table of rules, and the verdict of sarif-multitool. The severity is that of --fail-on.

    consumers.py --refused DIRECTORY BROKEN

The broken directory has a verdict on broken SARIF. Each check must also fail where it should.
"""

import copy
import json
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import junitparser
from sarif import loader

SEVERITIES = ["suggestion", "warning", "error"]

# The fields that GitLab documents for code quality reports. No registry of packages has a schema of them.
ISSUES = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1, "pattern": "^[^\\n]*$"},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^./]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}

# The project has no home page to name.
KNOWN_WARNINGS = {"SARIF2005"}


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def equal(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r} instead of {expected!r}")


def verdict(path):
    """The rules of sarif-multitool that a file breaks, by level."""
    runs = read(path)["runs"]
    notices = runs[0]["invocations"][0].get("toolExecutionNotifications", [])
    failed = [notice for notice in notices if notice.get("level") == "error"]
    results = runs[0].get("results", [])
    return failed, Counter((result.get("level", "warning"), result["ruleId"]) for result in results)


def check_sarif(directory, report):
    failed, broken = verdict(directory / "verdict.sarif")
    equal("failures of sarif-multitool", failed, [])
    equal("errors and warnings of sarif-multitool", {rule for _, rule in broken} - KNOWN_WARNINGS, set())
    file = loader.load_sarif_file(str(directory / "run.sarif"))
    levels = {"note": "suggestion", "warning": "warning", "error": "error"}
    found = file.get_records()
    found = [(entry["Code"], levels[entry["Severity"]], entry["Location"], entry["Line"]) for entry in found]
    entries = report["diagnostics"]
    expected = [(entry["rule"], entry["severity"], entry["path"], entry["start"]["line"]) for entry in entries]
    equal("findings that sarif-tools reads", found, expected)
    severities = Counter(entry["severity"] for entry in entries)
    counts = {levels[level]: file.get_report().get_issue_count_for_severity(level) for level in levels}
    equal("counts of sarif-tools", counts, {severity: severities[severity] for severity in counts})
    run = file.runs[0].run_data
    equal("executionSuccessful", run["invocations"][0]["executionSuccessful"], not report["failures"])
    totals = Counter()
    for result in run["results"]:
        totals[levels[result["level"]]] += result.get("occurrenceCount", 1)
    equal("occurrences of SARIF", {name: totals[name] for name in report["summary"]}, report["summary"])
    fixes = sum("fixes" in result for result in run["results"])
    equal("fixes of SARIF", fixes, sum(entry["fixable"] for entry in entries))
    return len(found)


def check_gitlab(directory, report):
    issues = read(directory / "gitlab.json")
    jsonschema.validate(issues, ISSUES)
    expected = [entry["rule"] for entry in report["diagnostics"]] + ["failure" for _ in report["failures"]]
    equal("entries for GitLab", [issue["check_name"] for issue in issues], expected)
    equal("fingerprints for GitLab", len({issue["fingerprint"] for issue in issues}), len(issues))


def check_junit(directory, report, fail_on):
    """Suites and cases as JUnit readers count them, and as they follow from the JSON report."""
    categories = {rule["rule"]: rule["category"] for rule in read(directory / "rules.json")}
    cases = {(target["kep"], category): set() for target in report["targets"] for category in categories.values()}
    for entry in report["diagnostics"]:
        key = (entry["kep"] or entry["path"], categories[entry["rule"]])
        cases.setdefault(key, set()).add(entry["severity"])
    failing = SEVERITIES[SEVERITIES.index(fail_on) :] if fail_on else []
    failures = sum(not found.isdisjoint(failing) for found in cases.values())
    errors = len(report["failures"])
    expected = (len(cases) + errors, failures, errors, 0)
    xml = junitparser.JUnitXml.fromfile(str(directory / "junit.xml"))
    equal("counts that JUnit says", (xml.tests, xml.failures, xml.errors, xml.skipped), expected)
    kinds = Counter(type(result).__name__ for suite in xml for case in suite for result in case.result)
    tests = sum(1 for suite in xml for _ in suite)
    equal("counts of its cases", (tests, kinds["Failure"], kinds["Error"], kinds["Skipped"]), expected)
    for suite in xml:
        said = (suite.tests, suite.failures, suite.errors, suite.skipped)
        suite.update_statistics()
        equal(f"counts of {suite.name}", said, (suite.tests, suite.failures, suite.errors, suite.skipped))
    texts = "".join(
        (case.system_out or "") + "".join(result.text or "" for result in case.result) for suite in xml for case in suite
    )
    equal("lines of JUnit", len(texts.splitlines()), len(report["diagnostics"]))
    return expected


def check(name, directory, fail_on):
    report = read(directory / "run.json")
    findings = check_sarif(directory, report)
    check_gitlab(directory, report)
    tests, failures, errors, _ = check_junit(directory, report, fail_on)
    print(f"{name}: {findings} findings in all formats; JUnit has {tests} tests, {failures} failures, {errors} errors")


def check_refused(directory, broken):
    failed, found = verdict(broken / "verdict.sarif")
    if not failed and not any(level == "error" for level, _ in found):
        sys.exit("sarif-multitool accepts a line 0")
    issues = read(directory / "gitlab.json")
    for field in ISSUES["items"]["required"]:
        other = copy.deepcopy(issues)
        del other[0][field]
        try:
            jsonschema.validate(other, ISSUES)
        except jsonschema.ValidationError:
            continue
        sys.exit(f"an entry for GitLab without {field} is accepted")
    print("broken reports are refused")


if __name__ == "__main__":
    if sys.argv[1] == "--refused":
        check_refused(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        check(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
