"""The claims of the paper's text, each beside the readings that decide it: what B3 does, whom it is compared with.

The text leaves open from what placements BO chooses, how large a minibatch is and where poses are counted from. So a
claim has a figure for each reading, and where the plain one does not bear it out the table says which one would.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from brickbybrick.builders.bayes import POOL
from brickbybrick.experiments.job import Result
from brickbybrick.experiments.markdown import markdown_table
from brickbybrick.experiments.paper import SIGHTED
from brickbybrick.experiments.results import Results, Spread

Spreads = list[Spread]  # one for each task of a claim

CLOSE = 0.02  # returns this near count as about the same
MARGINAL = 0.1  # of the return on training targets
HEAD = (
    "the paper's claim (line of its text)",
    "by the text",
    "Kim et al.'s own BO",
    "BO told the views",
    "B3 tuned",
    "B3 tuned, more samples",
    "B3 tuned, more targets",
    "B3 sighted",
    "holds",
    "why not by the text, and what decides it",
)


class Cell(NamedTuple):
    """A figure, and whether it bears the claim out."""

    said: str
    holds: bool


class Claim(NamedTuple):
    """A line of the table; a reading that has nothing to say of it, or is not measured yet, is None."""

    says: str
    text: Cell | None
    kim: Cell | None = None
    views: Cell | None = None
    tuned: Cell | None = None
    longer: Cell | None = None
    wider: Cell | None = None
    sighted: Cell | None = None
    why: str = ""

    def row(self) -> tuple[str, ...]:
        """As the table has it."""
        readings = {
            "Kim et al.'s BO": self.kim,
            "BO told the views": self.views,
            "B3 tuned": self.tuned,
            "B3 tuned and more samples": self.longer,
            "B3 tuned and more targets": self.wider,
            "B3 sighted": self.sighted,
        }
        others = [name for name, cell in readings.items() if cell and cell.holds]
        if self.text and self.text.holds:
            verdict = "yes"
        else:
            verdict = f"with {' or '.join(others)}" if others else "no"
        cells = [cell.said if cell else "" for cell in (self.text, *readings.values())]
        return self.says, *cells, verdict, "" if verdict == "yes" else self.why


def claims_table(results: Results) -> str:
    """The section of the report."""
    about = (
        "Return on unseen targets: B3's against another's. *By the text*: B3 as the text describes it, BO over the "
        f"task's offsets. *Kim et al.'s own BO* joins bricks in any way and chooses among {POOL} placements drawn at "
        "random. *BO told the views* knows of an object what B3 knows, and not its volume; a digit's image tells both. "
        "*B3 tuned* has what the text leaves open: poses counted from the image and minibatches of 32 samples, "
        f"with the paper's number of samples; with {results.scale.long:,} (one seed); and with more targets to learn "
        "from: all digits by one agent. *B3 sighted* is beyond the text: each brick is told which cells around it the "
        "images allow, and nothing that they do not show; with the paper's number of samples."
    )
    rows = [claim.row() for claim in claims(results) if claim.text]
    return f"## Claims\n\n{about}\n\n" + markdown_table(HEAD, rows)


def claims(results: Results) -> Iterable[Claim]:
    """Every claim, whether it can be judged yet or not."""
    digits, categories = results.scale.digits, results.scale.categories
    yield _against_agent(results, "digits: B3 is better than MLP (778)", digits, "mlp")
    yield _against_bo(results, "digits: B3 is better than BO (778)", digits, why=_why_digits(results))
    yield _gap(results, "digits: the gap between training and unseen targets is marginal (776)", digits)
    yield _against_agent(results, "random assembly: B3 is about as good as MLP (903)", ["random"], "mlp", CLOSE)
    why = _why_objects(results, "random")
    yield _against_bo(results, "random assembly: B3 is slightly below BO (904)", ["random"], CLOSE, why)
    yield _imitation(results)
    for task in categories:
        yield _against_bo(results, f"{task}: B3 is better than BO (939)", [task], why=_why_objects(results, task))
    for agent in ("no-node", "no-edge", "mlp"):
        says = f"ablation: both features are better than {agent}"
        yield _against_agent(results, says, ["random"], agent)
    yield from _validity(results)
    for task in results.scale.validated:
        yield _ways(results, task)


def _tuned(results: Results, tasks: Sequence[str], split: str = "test") -> Spreads:
    """The return of B3 tuned on each task, after the paper's samples; nothing unless all are there."""
    tuned = results.scale.tuned
    return _whole(results.last(task, f"{split}_return", samples(task), **tuned(task)) for task in tasks)


def _longer(results: Results, tasks: Sequence[str], split: str = "test") -> Spreads:
    """The same with many more samples."""
    return _whole(results.last(task, f"{split}_return", **results.scale.longest) for task in tasks)


def _wider(results: Results, tasks: Sequence[str]) -> Spreads:
    """The same with more targets: of one agent for several tasks."""
    shared = [result for task in results.scale.shared for result in results.trained(task, **results.scale.longest)]
    return _scores(results, [[part for each in shared if (part := part_of(each, task))] for task in tasks])


def part_of(result: Result, task: str) -> Result | None:
    """What an agent for several tasks did on the unseen targets of one of them."""
    rows = [row for row, target in enumerate(result["test"]["target"]) if target.startswith(f"{task}/")]
    test = {figure: [values[row] for row in rows] for figure, values in result["test"].items()}
    return {"test": test} if rows else None


def _whole(found: Iterable[Spread | None]) -> Spreads:
    """What was found for each task, or nothing where one has nothing."""
    each = list(found)
    return [one for one in each if one] if all(each) else []


def samples(task: str) -> int:
    """The steps of the paper's runs, as iterations round them up."""
    return 303_104 if task.startswith("mnist") else 503_808


def _scores(results: Results, found: Iterable[Sequence[Result]]) -> Spreads:
    return _whole(results.score(each, figure="return") for each in found)


def _compared(ours: Spreads, theirs: Spreads, close: float = 0.0) -> Cell | None:
    """One against the other, over all tasks of a claim."""
    if not ours or not theirs:
        return None
    if len(ours) == 1:
        one, other = ours[0], theirs[0]
        within = 0 < one.mean - other.mean <= max(one.deviation, other.deviation)
        said = f"{one} against {other}{', within the spread' if within else ''}"
        return Cell(said, one.mean > other.mean - close)
    means = [float(np.mean([each.mean for each in side])) for side in (ours, theirs)]
    better = sum(one.mean > other.mean for one, other in zip(ours, theirs, strict=True))
    said = f"{means[0]:.3f} against {means[1]:.3f}; better on {better} of {len(ours)}"
    return Cell(said, means[0] > means[1] - close)


def _against_agent(results: Results, says: str, tasks: Sequence[str], agent: str, close: float = 0.0) -> Claim:
    ours, theirs = (_scores(results, [results.trained(task, agent=each) for task in tasks]) for each in ("b3", agent))
    return Claim(says, _compared(ours, theirs, close))


def _against_bo(results: Results, says: str, tasks: Sequence[str], close: float = 0.0, why: str = "") -> Claim:
    bo = _scores(results, [results.evaluated(task, "bo") for task in tasks])
    kim = _scores(results, [results.kim(task) for task in tasks])
    told = _told_views(results, [task for task in tasks if task not in results.scale.digits])
    ours = _scores(results, [results.trained(task) for task in tasks])
    tuned = _tuned(results, tasks)
    sighted = _scores(results, [results.trained(task, **SIGHTED) for task in tasks])
    agents = {"": ours, "tuned ": tuned, "sighted ": sighted}
    return Claim(
        says,
        text=_compared(ours, bo, close),
        kim=_each_compared(agents, kim, close),
        views=_each_compared(agents, told, close),
        tuned=_compared(tuned, bo, close),
        longer=_compared(_longer(results, tasks), bo, close),
        wider=_compared(_wider(results, tasks), bo, close),
        sighted=_compared(sighted, bo, close),
        why=why,
    )


def _told_views(results: Results, tasks: Sequence[str]) -> Spreads:
    """The return of BO that knows the views of objects, and not their volume."""
    found = [results.evaluated(task, "bo") for task in tasks]
    return _scores(results, [[{"test": each["views"]} for each in one] for one in found])


def _each_compared(agents: dict[str, Spreads], theirs: Spreads, close: float) -> Cell | None:
    """Each of some agents, by its name, against one other; that one of them bears the claim out is enough."""
    cells = {name: cell for name, ours in agents.items() if (cell := _compared(ours, theirs, close))}
    said = "; ".join(f"{name}{cell.said}" for name, cell in cells.items())
    return Cell(said, any(cell.holds for cell in cells.values())) if said else None


def _gap(results: Results, says: str, tasks: Sequence[str]) -> Claim:
    def gap(train: Spreads, test: Spreads) -> Cell | None:
        if not train or not test:
            return None
        seen, unseen = (float(np.mean([each.mean for each in side])) for side in (train, test))
        return Cell(f"{seen:.3f} and {unseen:.3f}, {1 - unseen / seen:.0%} less", unseen > (1 - MARGINAL) * seen)

    by_text = (_whole(results.last(task, f"{split}_return") for task in tasks) for split in ("train", "test"))
    tuned, longer = ((read(results, tasks, "train"), read(results, tasks)) for read in (_tuned, _longer))
    return Claim(says, gap(*by_text), tuned=gap(*tuned), longer=gap(*longer), why=f"more than {MARGINAL:.0%} less")


def _why_digits(results: Results) -> str:
    """What BO has and the agent has not, on digits."""
    agents, sighted = (
        [result for task in results.scale.digits for result in results.trained(task, **options)]
        for options in ({}, SIGHTED)
    )
    greedy = [result for task in results.scale.digits for result in results.evaluated(task, "greedy")]
    learned, myopic = results.score(agents, "train", "return"), results.score(greedy, figure="return")
    if not learned or not myopic:
        return ""
    said = (
        f"BO is told the exact gain of nearly all candidates ({candidates_said(results)}), which makes it the greedy "
        f"builder ({myopic.mean:.3f}). B3 has to read the gain out of the image, and gets {learned.mean:.3f} on the "
        "digits it was trained on"
    )
    if looking := results.score(sighted, "train", "return"):
        said += f"; where each brick is told what the image shows around it, {looking.mean:.3f}"
    return said


def candidates_said(results: Results) -> str:
    """How many candidates BO has on digits."""
    found = [result for task in results.scale.digits for result in results.evaluated(task, "bo")]
    if not found:
        return "there are few candidates"
    pairs = sum(result["candidates_per_step"] for result in found) / len(found)
    distinct = sum(result["distinct"]["candidates_per_step"] for result in found) / len(found)
    return f"there are {pairs:.1f} candidates (pivot, offset) a step, {distinct:.1f} distinct placements"


def _why_objects(results: Results, task: str) -> str:
    """What BO has and the agent has not, in three dimensions: is it what they are told, or learning to look?"""
    told = _told_views(results, [task])
    learned, unseen = (results.score(results.trained(task), split, "return") for split in ("train", "test"))
    if not told or not learned or not unseen:
        return ""
    said = (
        f"BO knows the volume, but told the views alone it still has {told[0].mean:.3f}, and B3 {unseen.mean:.3f}, or "
        f"{learned.mean:.3f} on the objects it was trained on: it lacks learning more than information"
    )
    sighted = results.trained(task, **SIGHTED)
    seen, looking = (results.score(sighted, split, "return") for split in ("train", "test"))
    if seen and looking:
        said += (
            f". What it does not learn is to look: B3 whose bricks are told which cells around them the images allow "
            f"has {looking.mean:.3f}, and {seen.mean:.3f} on the objects it was trained on"
        )
    return said


def _imitation(results: Results) -> Claim:
    taught, longer = (results.done(jobs) for jobs in (results.scale.imitations, results.scale.longer_imitations))
    cell = None
    if train := results.score(taught, "train", "return"):
        test = results.score(taught, "test", "return")
        said = f"{train} on its training objects, {test} on unseen ones"
        more = results.score(longer, "train", "return"), results.score(longer, "test", "return")
        if longer and longer != taught:
            said += f"; until nothing is left to learn {more[0]}, {more[1]}"
            train, test = more
        cell = Cell(said, bool(train and test and train.mean - test.mean > 0.1))
    return Claim("SL does not generalise to unseen objects (911)", cell)


def _validity(results: Results) -> Iterable[Claim]:
    """The whole validity network against the one without features of contacts: offsets, the harder head."""
    found = {variant: results.done(jobs) for variant, jobs in results.scale.edges.items()}
    precise, complete = (
        [
            Spread(tuple(result["test"]["figures"][f"offset_{figure}_valid"] for result in each))
            for each in found.values()
            if each
        ]
        for figure in ("precision", "recall")
    )
    if len(precise) == 2 and len(precise[0].values) == len(precise[1].values):
        figures = (each.mean for each in (*precise, *complete))
        said = "precision {:.4f} against {:.4f}, recall {:.4f} against {:.4f}".format(*figures)
        holds = precise[0].mean > precise[1].mean and complete[0].mean > complete[1].mean
        apart, noise = abs(precise[0].mean - precise[1].mean), max(each.deviation for each in precise)
        why = "the poses of both ends tell what the contact tells"
        if noise:
            why += f"; the precisions are {apart:.4f} apart, those of one network's seeds deviate by {noise:.4f}"
        says = "validity: the whole network is better than without edge features (750)"
        yield Claim(says, Cell(said, holds), why=why)


def _ways(results: Results, task: str) -> Claim:
    pretrained, joint = (results.last(task, "test_return", validation=way) for way in ("pretrained", "joint"))
    cell = None
    if pretrained and joint:
        cell = Cell(f"{pretrained} against {joint}", pretrained.mean >= joint.mean - CLOSE / 2)
    return Claim(f"{task}: pretrained masks are at least as good as joint ones (752)", cell)
