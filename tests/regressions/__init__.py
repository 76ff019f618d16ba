"""Programs that once came out wrong, or crashed: each module has CASES of functions with arguments."""

from collections.abc import Callable
from typing import Any


class Cases(list[tuple[Callable[..., Any], tuple[Any, ...]]]):
    """The functions of a module with the arguments that they are tried with: `@case(0.7)` adds one."""

    def __call__(self, *arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.append((function, arguments))
            return function

        return add
