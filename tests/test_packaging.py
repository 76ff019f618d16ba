"""What is in the repository is what gets installed."""

import importlib.util
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"pullback": "src/pullback", "pullback/compiler": "compiler", "pullback/runtime": "runtime"}
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules() -> set[str]:
    """Every module of the project, by its path in the wheel."""
    found = {f"pullback/{path.name}" for path in (ROOT / "src/pullback").glob("*.py")}
    for package, folder in list(FOLDERS.items())[1:]:
        for path in (ROOT / folder).rglob("*.py"):
            found.add(f"{package}/{path.relative_to(ROOT / folder).as_posix()}")
    return found


def test_the_package_list_names_every_folder_with_modules() -> None:
    folders = {str(Path(module).parent).replace("/", ".") for module in modules()}
    assert sorted(folders) == sorted(SETUP["tool"]["setuptools"]["packages"])


def test_every_package_has_an_init() -> None:
    missing = {str(Path(module).parent / "__init__.py") for module in modules()} - modules()
    assert not missing


def test_links_lead_to_the_mapped_folders() -> None:
    for package, folder in list(FOLDERS.items())[1:]:
        assert (ROOT / "src" / package).resolve() == ROOT / folder


def test_the_wheel_holds_every_module(tmp_path: Path) -> None:
    source = tmp_path / "source"  # a copy: building leaves build/ behind
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("src", "compiler", "runtime"):
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=unwanted)

    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(source)]
    if can_build():
        command.append("--no-build-isolation")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    (wheel,) = tmp_path.glob("pullback-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert "pullback/py.typed" in held
    assert {name for name in held if name.endswith(".py")} == modules()


def can_build() -> bool:
    """Whether the setuptools at hand is the one that pyproject.toml asks for."""
    if importlib.util.find_spec("setuptools") is None:
        return False
    wanted = SETUP["build-system"]["requires"][0].partition(">=")[2]
    return int(version("setuptools").split(".")[0]) >= int(wanted)
