"""CUDA graphs: a function's kernels recorded once and replayed, which takes the launches out of small steps."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, TypeVar

import torch
from torch import Tensor

from brickbybrick.policies.graph_network import Room

Result = TypeVar("Result")


def recorded(function: Callable[[], Result], device: torch.device) -> Callable[[], Result]:
    """The function itself on a CPU; on a GPU a replay of its kernels.

    The function must read and write tensors that keep their place, and never look at their values. It is run a few
    times while recording, so what it changes must be set again afterwards.
    """
    if device.type != "cuda":
        return function
    side = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(side):
        for _ in range(3):  # libraries choose their algorithms and allocate before anything is recorded
            function()
    torch.cuda.current_stream(device).wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = function()

    def replay() -> Result:
        graph.replay()
        return result

    return replay


class Recorded(Generic[Result]):
    """A function of graphs, recorded with room for as many bricks and edges as it has met, anew when there are more.

    Args:
        function: As for `recorded`, of the room that its graphs get; of None on a CPU, where it is called as it is.
        device: Where it runs.
        changes: The tensors that it changes, which recording leaves as they were.
    """

    def __init__(
        self,
        function: Callable[[Room | None], Result],
        device: torch.device,
        changes: Callable[[], Iterable[Tensor]] = lambda: (),
    ) -> None:
        self._function, self._device, self._changes = function, device, changes
        self._room = Room(0, 0)
        self._replay: Callable[[], Result]

    def __call__(self, needed: Room) -> Result:
        if self._device.type != "cuda":
            return self._function(None)
        if needed.nodes > self._room.nodes or needed.edges > self._room.edges:
            # Powers of 2: a run that grows little by little is recorded a few times and no more.
            rooms = zip(self._room, needed, strict=True)
            self._room = Room(*(max(now, 1 << (more - 1).bit_length()) for now, more in rooms))
            with torch.random.fork_rng([self._device]):
                before = [(tensor, tensor.detach().clone()) for tensor in self._changes()]
                self._replay = recorded(partial(self._function, self._room), self._device)
                for tensor, value in before:
                    tensor.detach().copy_(value)
        return self._replay()
