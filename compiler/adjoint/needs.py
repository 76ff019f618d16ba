"""The memory that functions keep for each other: what the reverse of one reads, another must not have changed for good."""

from pullback.compiler.adjoint.recording import Need
from pullback.compiler.adjoint.sheet import Plan
from pullback.compiler.analysis.program import Spec

Needs = dict[Spec, Need]  # the memory whose content is needed, by function


def memory_read(plans: dict[Spec, Plan]) -> Needs:
    """For each function the memory whose content its reverse reads, its callees' included."""
    return _with_callees({spec: made.recorder.content_of(spec.body) for spec, made in plans.items()})


def _with_callees(found: Needs) -> Needs:
    while True:
        grown = {
            s: f.union(*(found[c.callee] for c in s.facts.calls.values() if c.callee in found))
            for s, f in found.items()
        }
        if grown == found:
            return found
        found = grown


def needs_of(plans: dict[Spec, Plan]) -> tuple[Needs, Needs]:
    """The memory that the reverse of each function reads or takes back, and what it must keep for its callers."""
    memory = memory_read(plans)
    asked: Needs = {s: frozenset() for s in plans}
    waiting = set(plans)
    while waiting:
        grown, touched = dict(asked), dict(memory)
        for spec in waiting:
            recorder = plans[spec].recorder
            recorder.run(spec.body, memory, asked[spec])
            touched[spec] = touched[spec] | recorder.taken_back()
            for callee, need in recorder.asked.items():
                grown[callee] = grown.get(callee, frozenset()) | need
        touched = _with_callees(touched)
        waiting = {s for s in plans if grown[s] != asked[s]} if touched == memory else set(plans)
        asked, memory = grown, touched
    return memory, asked
