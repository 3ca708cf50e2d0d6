"""The one exception for everything a user can get wrong, and how to install what is missing."""

import numbers
import reprlib

MOST_SHOWN = 60  # characters of something wrong that a message quotes

# The extra of this package that brings each optional package, by the name it is imported by.
EXTRAS = {
    "huggingface_hub": "hub",
    "jax": "peers",
    "jumanji": "peers",
    "matplotlib": "report",
    "mcp": "mcp",
    "optuna": "runs",
    "ortools": "search",
    "python_multipart": "studio",
    "ray": "ray",
    "reportlab": "kit",
    "safetensors": "learn",
    "sb3_contrib": "sb3",
    "stable_baselines3": "sb3",
    "starlette": "studio",
    "tensorboard": "runs",
    "tensordict": "torchrl",
    "torch": "learn",
    "torchrl": "torchrl",
    "trimesh": "meshes",
    "uvicorn": "studio",
    "wandb": "wandb",
}


class InputError(ValueError):
    """Something given to the program cannot be used.

    The message is one line that says what was wrong and what to do about it; the command line
    prints it and exits with code 2.
    """


def whole_number(value: object, what: str, least: int, most: int = 2**31 - 1) -> int:
    """The value as an int if it is a whole number in a range, Python's or numpy's; else one clear line."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        bounds = f"at least {least}" if most == 2**31 - 1 else f"from {least} to {most}"
        raise InputError(f"{what} is {shown(value)}: give a whole number, {bounds}")
    return int(value)


def how_to_install(package: str) -> str:
    """The command that installs an optional package."""
    return f"pip install 'brickbybrick[{EXTRAS[package]}]'"


def shown(value: object) -> str:
    """Anything as a message can quote it: in one line, and short whatever it is."""
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python does not write integers of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
