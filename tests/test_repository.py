"""Laws of the repository: a test file for every module, and one meaning for every name."""

import ast
from collections import Counter
from pathlib import Path

import trustag

SOURCE = Path(trustag.__file__).parent
TESTS = Path(__file__).parent
# Modules that only state values: each is read by the tests of those that use it.
WITHOUT_FUNCTIONS = frozenset(
    {
        "__main__",
        "_version",
        "cli/orders",
        "corpora/demo/everyday",
        "corpora/demo/letters",
        "corpora/demo/news",
        "corpora/demo/organisations",
        "corpora/demo/others",
        "corpora/demo/people",
        "corpora/demo/phrases",
        "corpora/demo/locations",
        "corpora/demo/trade",
        "files/formats",
        "models/encoders",
        "models/tagged",
        "serving/events",
        "serving/limits",
    }
)
# Module names that occur in several packages with one and the same meaning.
SHARED_NAMES = frozenset({"errors", "method", "saving", "settings"})
MODULES = sorted(
    path.relative_to(SOURCE).with_suffix("").as_posix() for path in SOURCE.rglob("*.py") if path.name != "__init__.py"
)


def file_of_tests(module: str) -> Path:
    folder, _, name = module.rpartition("/")
    return TESTS / folder / f"test_{name.lstrip('_')}.py"


def has_functions(module: str) -> bool:
    """Tell whether a module has functions that do something; those of protocols have a docstring at most."""
    tree = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    statements = [statement for function in functions for statement in function.body]
    return not all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in statements)


def test_every_module_has_tests_of_its_name() -> None:
    expected = {module: file_of_tests(module) for module in MODULES if module not in WITHOUT_FUNCTIONS}
    assert [module for module, path in expected.items() if not path.exists()] == []
    assert [module for module, path in expected.items() if "def test_" not in path.read_text(encoding="utf-8")] == []


def test_modules_without_tests_state_values_only() -> None:
    assert set(MODULES) >= WITHOUT_FUNCTIONS
    assert [module for module in WITHOUT_FUNCTIONS if has_functions(module)] == []


def test_modules_of_one_name_mean_the_same() -> None:
    names = Counter(module.rpartition("/")[2] for module in MODULES)
    assert {name for name, count in names.items() if count > 1} == SHARED_NAMES


def test_no_two_public_classes_have_one_name() -> None:
    names = Counter(
        node.name
        for module in MODULES
        for node in ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []
