"""`pullback dump FILE.py:FUNCTION`: the derivative of a function as text, its file neither imported nor run."""

import argparse
import ast
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import sys
import tomllib
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import gast

from pullback.compiler.analysis.program import Program
from pullback.compiler.analysis.values import Value
from pullback.compiler.arguments import scalar_result
from pullback.compiler.errors import ArgumentError, DerivativeError
from pullback.compiler.frontend.code import Code, code_from_source
from pullback.compiler.frontend.source import Source, find_source, source_from_text
from pullback.compiler.frontend.text_module import ModuleText, TextFunction, Unknown, read_module
from pullback.compiler.frontend.text_run import Run
from pullback.compiler.imports import linked_text
from pullback.compiler.like import (
    Example,
    Like,
    LikeError,
    annotated_like,
    called_with,
    parsed_like,
    value_like,
    without_derivative,
)
from pullback.compiler.like import Sequence as Several
from pullback.compiler.pipeline import Derivative, differentiate
from pullback.compiler.stages import STAGES, stage_text
from pullback.compiler.standalone import standalone_text

EPILOG = """\
examples:
  pullback dump model.py:loss                         the gradient with respect to the first parameter
  pullback dump model.py:loss --wrt w,b --value       the value and two gradients
  pullback dump model.py:loss --like "w=float64[3]" --like "x=float[:, 3]"
  pullback dump model.py:loss --standalone -o loss_grad.py

types for --like:
  float  int  bool  str  none  float32  float64[3]  float[:, :]  float64[n]  list[float]  (float, int)
  dict(a=float, w=float64[3])
Without --like, types come from annotations, defaults, and calls that the file makes.
"""


class UsageError(Exception):
    """The command line asks for something that is not there."""


class Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 1 for a refusal and 2 for a mistake in the command."""
    options = parser().parse_args(arguments)
    try:
        text = dump(options)
        if options.output:
            Path(options.output).write_text(text, encoding="utf-8")
        else:
            sys.stdout.write(text)
            sys.stdout.flush()
    except UsageError as error:
        print(f"pullback {options.command}: {error}", file=sys.stderr)
        return 2
    except DerivativeError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"pullback {options.command}: cannot write {options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def parser() -> Parser:
    """The options."""
    top = Parser(prog="pullback", description="Derivatives of NumPy functions, as Python text.")
    top.add_argument("--version", action="version", version=f"pullback {version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    d = commands.add_parser(
        "dump",
        help="print the derivative of a function of a file",
        description="Print a function's derivative. Its file is read as text, not imported.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    d.add_argument("target", metavar="FILE.py:FUNCTION", help="a function, or `Class.method` or `outer.inner`")
    d.add_argument("--wrt", metavar="NAMES", help="parameters to differentiate by, as in w,b (default: the first)")
    d.add_argument("--like", metavar="NAME=TYPE", action="append", default=[], help="an argument's type; repeatable")
    d.add_argument("--value", action="store_true", help="compute the value along with the gradient")
    d.add_argument(
        "--stage",
        choices=STAGES,
        metavar="STAGE",
        help=f"print the program as it stands after a stage: {', '.join(STAGES)}",
    )
    d.add_argument("--standalone", action="store_true", help="write a module that needs no pullback, only NumPy")
    d.add_argument(
        "--import",
        dest="imported",
        action="store_true",
        help="import the file, for functions that need what exists only then",
    )
    d.add_argument("-o", dest="output", metavar="OUT.py", help="write to a file")
    return top


def version() -> str:
    """The installed version, or that of the source tree."""
    try:
        return importlib.metadata.version("pullback")
    except importlib.metadata.PackageNotFoundError:
        project = Path(__file__).resolve().parents[1] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


# ------------------------------------------------------------------------------------------ dump


@dataclass
class Target:
    """The function to differentiate: its text, its module as text, and itself where it was imported."""

    source: Source
    module: ModuleText
    code: Code
    node: ast.AST  # its definition in the module's tree
    function: Any = None

    @property
    def parameters(self) -> list[ast.arg]:
        a = self.arguments
        every = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
        return [p for p in every if p is not None]

    @property
    def arguments(self) -> ast.arguments:
        assert isinstance(self.node, ast.FunctionDef | ast.Lambda)
        return self.node.args


def dump(options: argparse.Namespace) -> str:
    """The text that `pullback dump` prints."""
    target = imported_target(options.target) if options.imported else text_target(options.target)
    names = [p.arg for p in target.parameters]
    wrt = chosen(options.wrt, names, target)
    likes = types_of(target, options.like, names, wrt)
    stages: dict[str, str] = {}
    ours = {old: new for new, old in target.code.aliases.items()}  # parameters that have another name in the text

    def make(program: Program) -> dict[str, Value]:
        return {ours.get(name, name): value_like(likes[name], program, name, name in wrt) for name in names}

    def show(stage: str, functions: list[gast.stmt]) -> None:
        if stage == options.stage:
            stages[stage] = stage_text(functions)

    try:
        derivative = differentiate(
            target.code,
            make,
            tuple(ours.get(w, w) for w in wrt),
            single=len(wrt) == 1,
            with_value=options.value,
            show=show if options.stage else None,
        )
        scalar_result(derivative.result, target.source.name, target.source)
        text = finished(derivative, target, options)
    except Exception:
        if target.module.missed:  # the cause of whatever went wrong
            raise ArgumentError(*target.module.missed.values()) from None
        raise
    if target.module.missed:
        raise ArgumentError(*target.module.missed.values())
    return stages.get(options.stage, text)


def finished(derivative: Derivative, target: Target, options: argparse.Namespace) -> str:
    """The module that is printed."""
    return (standalone_text if options.standalone else linked_text)(derivative, [target.code])


def text_target(spelled: str) -> Target:
    """The function that FILE.py:FUNCTION names, from the text of the file."""
    path, file, name, text = _read(spelled)
    module = read_module(path.resolve(), file, text)
    try:
        source = source_from_text(text, file, name)
    except ArgumentError as error:
        raise UsageError(one_line(error)) from None
    node = next(n for n in ast.walk(module.definitions.tree) if _is_definition(n, source, name))
    assert isinstance(node, ast.FunctionDef | ast.Lambda)
    run = Run(module, dict(module.bindings))
    for decorator in getattr(node, "decorator_list", []):
        if not run.transparent(decorator, ours=True):
            module.miss(f"`{name}` as `@{ast.unparse(decorator)}` makes it", Unknown(decorator, ""))
    if module.missed:
        raise ArgumentError(*module.missed.values())
    return Target(source, module, code_from_source(source, TextFunction(source.name, node, module)), node)


def imported_target(spelled: str) -> Target:
    """The function that FILE.py:FUNCTION names, its file imported."""
    path, file, name, text = _read(spelled)
    text_module = read_module(path.resolve(), file, text)
    sys.path.insert(0, str(text_module._folders[1]))
    try:
        thing: Any = importlib.import_module(text_module.dotted)
        for part in name.split("."):
            thing = inspect.getattr_static(thing, part) if isinstance(thing, type) else getattr(thing, part)
    except AttributeError as error:
        raise UsageError(f"no function `{name}` in {file}: {error}") from None
    except (Exception, SystemExit) as error:
        raise UsageError(f"importing {file} fails: {type(error).__name__}: {error}") from None
    thing = getattr(thing, "primal", thing)
    while isinstance(thing, staticmethod | classmethod | types.MethodType):
        thing = thing.__func__
    try:
        source = find_source(thing)
    except ArgumentError as error:
        raise UsageError(one_line(error)) from None
    tree = text_module.definitions.tree
    node = next((n for n in ast.walk(tree) if _is_definition(n, source, name)), None)
    if node is None:  # defined in another file
        found = ast.parse("\n".join(source.lines))
        node = next(n for n in ast.walk(found) if _is_definition(n, source, name))
    return Target(source, text_module, code_from_source(source, thing), node, thing)


def _read(spelled: str) -> tuple[Path, str, str, str]:
    file, colon, name = spelled.rpartition(":")
    if not colon or not name or not file:
        raise UsageError(f"name a function, as in FILE.py:FUNCTION, not {spelled!r}")
    path = Path(file)
    try:
        return path, file, name, path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {file}: it is not UTF-8 text") from None


def _is_definition(node: ast.AST, source: Source, name: str) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.lineno == source.line and node.name == name.split(".")[-1]
    return (
        isinstance(node, ast.Lambda)
        and node.lineno == source.tree.lineno
        and (node.col_offset == source.tree.col_offset)
    )


def one_line(error: DerivativeError) -> str:
    """A refusal that a command line's mistake causes, as one line."""
    parts = []
    for d in error.diagnostics:
        where = f"{d.span.file}:{d.span.line}: " if d.span else ""
        cause = d.cause[:1].lower() + d.cause[1:]
        parts.append("; ".join(p.rstrip(".") for p in (where + d.problem, cause, d.advice) if p))
    return "; ".join(parts)


# ------------------------------------------------------------------------------------------ types


def chosen(wrt: str | None, names: list[str], target: Target) -> tuple[str, ...]:
    """The parameters to differentiate by."""
    if wrt is None:
        free = [n for n in names if n not in ("self", "cls")]
        if not free:
            raise UsageError(f"`{target.source.name}` has no parameter to differentiate by")
        return (free[0],)
    picked = tuple(w.strip() for w in wrt.split(",") if w.strip())
    for w in picked:
        if w not in names:
            raise UsageError(f"`{target.source.name}` has no parameter `{w}`; it has {', '.join(names) or 'none'}")
    if not picked:
        raise UsageError(f"--wrt names no parameter; `{target.source.name}` has {', '.join(names) or 'none'}")
    return picked


def types_of(target: Target, given: list[str], names: list[str], wrt: tuple[str, ...]) -> dict[str, Like]:
    """The type of each parameter: from --like, its annotation, its default, a call in the file."""
    found: dict[str, Like] = {}
    try:
        for text in given:
            name, like = parsed_like(text)
            if name not in names:
                raise UsageError(
                    f"--like {text!r}: `{target.source.name}` has no parameter `{name}`; "
                    f"it has {', '.join(names) or 'none'}"
                )
            found[name] = like
    except LikeError as error:
        raise UsageError(str(error)) from None
    reasons: dict[str, str] = {}
    for p in target.parameters:
        said, reason = annotated_like(p.annotation)
        if reason:
            reasons[p.arg] = reason
        elif said is not None:
            found.setdefault(p.arg, said)
    if set(names) - set(found):
        defaults = defaults_of(target)
        found |= {n: Example(v) for n, v in defaults.items() if n not in found and v is not None}
        if set(names) - set(found):
            real = vars(sys.modules[target.module.dotted]) if target.function is not None else None
            called = called_with(target.module, target.node, real)
            found |= {n: Example(v) for n, v in {**defaults, **called}.items() if n not in found}
    a = target.arguments
    if a.vararg is not None:
        found.setdefault(a.vararg.arg, Several((), "tuple"))
    if a.kwarg is not None:
        found.setdefault(a.kwarg.arg, Example({}))
    missing = [n for n in names if n not in found]
    if missing:
        raise UsageError(no_types(target.source.name, missing, reasons))
    for name in wrt:
        problem = without_derivative(found[name])
        if problem:
            raise UsageError(
                f"`{name}` of `{target.source.name}` is {problem}, which has no derivative; "
                f'choose others with --wrt, or say what it is with --like "{name}=float"'
            )
    return found


def defaults_of(target: Target) -> dict[str, Any]:
    """The values of the parameters' defaults."""
    a = target.arguments
    function = target.code.function
    positional = [p.arg for p in [*a.posonlyargs, *a.args]]
    values = function.__defaults__ or ()
    return dict(zip(positional[len(positional) - len(values) :], values)) | (function.__kwdefaults__ or {})


def no_types(name: str, missing: list[str], reasons: dict[str, str]) -> str:
    """The complaint about parameters whose types nothing tells."""
    if missing[0] == "self":
        return f"`{name}` is a method, and nothing tells what `self` is: wrap the call in a function"
    examples = ("float64[3]", "float[:, :]", "float")
    shown = " ".join(f'--like "{n}={e}"' for n, e in zip(missing, examples))
    why = "; ".join(f"`{n}`: {r}" for n, r in reasons.items() if n in missing)
    listed = ", ".join(f"`{n}`" for n in missing)
    return f"no types for {listed} of `{name}`{f' ({why})' if why else ''}: say them, as in {shown}"
