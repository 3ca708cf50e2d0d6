"""CUDA graphs: a function's kernels recorded once and replayed, which takes the launches out of small steps."""

from collections.abc import Callable
from typing import TypeVar

import torch

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
