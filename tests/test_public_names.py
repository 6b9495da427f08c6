"""The front page of the package: what ``__all__`` says is there, documented, and nothing else is public."""

import subprocess
import sys
import types

import mineproof


def test_the_public_names_are_what_all_says() -> None:
    public = {
        name
        for name, value in vars(mineproof).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    } - {"Any", "TYPE_CHECKING", "import_module"}
    later = set(mineproof._LATER)  # imported when they are first used
    assert public | later == set(mineproof.__all__)
    assert all(hasattr(mineproof, name) for name in mineproof.__all__)
    assert not hasattr(mineproof, "nonsense")
    assert mineproof.__all__ == sorted(
        mineproof.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )


def test_completion_shows_the_public_names_before_anything_is_used() -> None:
    code = "import mineproof; print(dir(mineproof) == sorted(mineproof.__all__), 'Game' in vars(mineproof))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_public_classes_and_functions_say_what_they_are() -> None:
    for name in mineproof.__all__:
        value = getattr(mineproof, name)
        if not isinstance(value, dict):
            assert value.__doc__, name


def test_errors_are_one_tree() -> None:
    values = [getattr(mineproof, name) for name in mineproof.__all__]
    errors = [value for value in values if isinstance(value, type) and issubclass(value, Exception)]
    assert len(errors) > 3
    assert all(issubclass(error, mineproof.MineproofError) and issubclass(error, ValueError) for error in errors)
