"""The command `b3`: reads the command line and turns what a user can get wrong into one line."""

import os
import sys
from typing import Annotated, Protocol

import tyro

from brickbybrick.commands.bench import Bench
from brickbybrick.commands.build import Build, Check, Export
from brickbybrick.commands.compare import Compare
from brickbybrick.commands.leaderboard import Leaderboard
from brickbybrick.commands.learn import Evaluate, Train, Validity
from brickbybrick.commands.optimum import Ambiguity, BestPossible
from brickbybrick.commands.reproduce import Beyond, Reproduce
from brickbybrick.commands.show import Data, Demo, Mcp, Studio
from brickbybrick.commands.sweep import Sweep
from brickbybrick.errors import EXTRAS, InputError, how_to_install

Command = (
    Annotated[Build, tyro.conf.subcommand("build")]
    | Annotated[Check, tyro.conf.subcommand("check")]
    | Annotated[Export, tyro.conf.subcommand("export")]
    | Annotated[Studio, tyro.conf.subcommand("studio")]
    | Annotated[Mcp, tyro.conf.subcommand("mcp")]
    | Annotated[Demo, tyro.conf.subcommand("demo")]
    | Annotated[Data, tyro.conf.subcommand("data")]
    | Annotated[Train, tyro.conf.subcommand("train")]
    | Annotated[Compare, tyro.conf.subcommand("compare")]
    | Annotated[Sweep, tyro.conf.subcommand("sweep")]
    | Annotated[Evaluate, tyro.conf.subcommand("evaluate")]
    | Annotated[BestPossible, tyro.conf.subcommand("optimum")]
    | Annotated[Ambiguity, tyro.conf.subcommand("ambiguity")]
    | Annotated[Validity, tyro.conf.subcommand("validity")]
    | Annotated[Bench, tyro.conf.subcommand("bench")]
    | Annotated[Reproduce, tyro.conf.subcommand("reproduce")]
    | Annotated[Beyond, tyro.conf.subcommand("beyond")]
    | Annotated[Leaderboard, tyro.conf.subcommand("leaderboard")]
)


class Runnable(Protocol):
    """What all commands are."""

    def run(self) -> None: ...


def command_of(arguments: list[str] | None = None) -> Runnable:
    """The command that a line stands for; those of this program's own line if none are given."""
    command: Runnable = tyro.cli(
        Command,
        prog="b3",
        description="Build what an image shows out of 2x4 bricks, one brick at a time.",
        args=arguments,
        config=(tyro.conf.OmitSubcommandPrefixes, tyro.conf.OmitArgPrefixes, tyro.conf.FlagCreatePairsOff),
    )
    return command


def main(arguments: list[str] | None = None) -> None:
    """Runs a command. What a user can get wrong ends in one line and exit code 2."""
    command = command_of(arguments)
    try:
        command.run()
        sys.stdout.flush()
    except InputError as error:
        print(f"b3: {' '.join(str(error).split())}", file=sys.stderr)  # a file may have a line break in its name
        sys.exit(2)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        print(f"b3: this needs {package}: {how_to_install(package)}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
