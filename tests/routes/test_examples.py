"""The examples in docstrings of the solver, run also where its modules are compiled.

pytest and doctest find none in a compiled module, so they are read from the sources.
"""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import carril.routes

FOLDER = Path(str(carril.routes.__file__)).parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the module and the docstring of everything that has an example."""
    for source in sorted(FOLDER.rglob("*.py")):
        module = ".".join(["carril.routes", *source.relative_to(FOLDER).with_suffix("").parts])
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
            if text and ">>>" in text:
                yield module.removesuffix(".__init__"), text


EXAMPLES = list(docstrings())


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize(("module", "text"), EXAMPLES)
def test_examples(module: str, text: str) -> None:
    names = dict(vars(import_module(module)))
    test = doctest.DocTestParser().get_doctest(text, names, module, module, 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted == text.count(">>>")
    assert result.failed == 0
