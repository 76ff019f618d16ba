"""Every conformance case of tests/cases, with its known gradient; BAD entries must be refused.

Cases that are not right yet stand in cases/not_yet.txt, one `id: reason` a line. The list only
shrinks: a listed case that comes out right fails here until its line is deleted. What would mislead
a user (a wrong number, a changed argument, a silent answer) is never excused.

`python tests/test_cases.py` prints a summary by file, with every case that is not right;
`--update` also rewrites the list, `--match TEXT` narrows the run to ids or files that contain TEXT.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cases import loader

import pullback

FOLDER = Path(loader.__file__).resolve().parent
LIST = FOLDER / "not_yet.txt"
NEVER_EXCUSED = {"wrong", "silent", "side-effect"}

CASES = [*loader.load_cases(), *loader.load_bad()]


def read_list() -> dict[str, str]:
    """Reason by case id, from not_yet.txt."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return {case: reason for case, _, reason in (line.partition(": ") for line in lines if line)}


NOT_YET = read_list()


def grad(fn: Callable[..., Any], wrt: Any) -> Callable[..., Any]:
    return pullback.grad(fn, wrt=wrt)


def outcome_of(case: Any) -> tuple[str, str, bool]:
    """Status, detail, and whether that status is what the case asks for."""
    if isinstance(case, loader.Bad):
        outcome = loader.run_bad_case(grad, case)
        return outcome.status, outcome.detail, outcome.status in loader.GOOD_STATUS
    outcome = loader.run_case(grad, case, refusal=(pullback.DerivativeError,))
    return outcome.status, outcome.detail, outcome.status in case.acceptable


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Any) -> None:
    status, detail, good = outcome_of(case)
    if good:
        assert case.id not in NOT_YET, "right by now: delete its line in cases/not_yet.txt"
    elif case.id in NOT_YET and status not in NEVER_EXCUSED:
        pytest.xfail(NOT_YET[case.id])
    else:
        pytest.fail(f"{status}: {detail}")


def test_the_list_names_only_cases_that_exist() -> None:
    assert not NOT_YET.keys() - {case.id for case in CASES}


# ---------------------------------------------------------------- as a script


def run_file(module: str, match: str) -> list[tuple[str, str, str, bool]]:
    """Id, status, detail and verdict of the cases of one file."""
    chosen = [case for case in CASES if case.module == module]
    return [(case.id, *outcome_of(case)) for case in chosen if match in f"{module} {case.id}"]


def reason(status: str, detail: str) -> str:
    """The first line of a refusal, without the folder that its file is in."""
    line = detail.strip().splitlines()[0] if detail.strip() else status
    line = re.sub(r"\S*/(?=[\w.-]+\.py\b)", "", line)
    line = line if status == "refused" else f"{status}: {line}"
    return re.sub(r"^(\w+\.)*\w*Error: ", "", line)[:160].rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description="run the conformance cases")
    parser.add_argument("--update", action="store_true", help="rewrite cases/not_yet.txt")
    parser.add_argument("--match", default="", help="only cases whose file or id contains this")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()

    modules = sorted({case.module for case in CASES if options.match in f"{case.module} {case.id}"})
    with ProcessPoolExecutor(options.processes) as pool:
        results = list(pool.map(run_file, modules, [options.match] * len(modules)))

    listed = dict(NOT_YET)
    never = 0
    total: Counter[str] = Counter()
    rows = []
    for module, outcomes in zip(modules, results):
        counts = Counter(status for _, status, _, _ in outcomes)
        total += counts
        rows.append((Path(module).name, counts))
        for case, status, detail, good in outcomes:
            listed.pop(case, None)
            if good:
                continue
            why = reason(status, detail)
            if status in NEVER_EXCUSED:
                never += 1
            else:
                listed[case] = why
            print(f"{status:12}{case}: {why.removeprefix(status + ': ')}")

    statuses = sorted(total, key=lambda status: (status != "pass", status))
    print(f"\n{'':32}" + "".join(f"{status:>12}" for status in statuses))
    for name, counts in [*rows, ("all", total)]:
        print(f"{name:32}" + "".join(f"{counts[status] or '':>12}" for status in statuses))
    if options.update:
        order = {case.id: place for place, case in enumerate(CASES)}
        kept = sorted((case for case in listed if case in order), key=order.__getitem__)
        LIST.write_text("".join(f"{case}: {listed[case]}\n" for case in kept), encoding="utf-8")
    return 1 if never else 0


if __name__ == "__main__":
    sys.exit(main())
