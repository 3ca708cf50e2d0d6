"""Recorded kernels: the same results as without, on a CPU because nothing is recorded there."""

import pytest
import torch
from torch import Tensor

from brickbybrick.learning.recording import Recorded, recorded
from brickbybrick.policies.graph_network import Room

gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU is to be seen")


def test_on_a_cpu_a_function_is_called_as_it_is() -> None:
    rooms: list[Room | None] = []
    function = Recorded(rooms.append, torch.device("cpu"))
    function(Room(5, 7))
    function(Room(50, 70))
    assert rooms == [None, None]  # no room: shapes may change
    assert recorded(rooms.clear, torch.device("cpu")) == rooms.clear


@gpu
def test_a_replay_reads_and_writes_where_the_function_did() -> None:
    source, total = torch.zeros(4, device="cuda"), torch.zeros(4, device="cuda")
    replay = recorded(lambda: total.add_(source), torch.device("cuda"))
    total.zero_()
    for number in range(1, 4):
        source.fill_(number)
        replay()
    assert total.tolist() == [6] * 4


@gpu
def test_more_room_is_recorded_anew_and_changes_nothing() -> None:
    weight = torch.zeros(3, device="cuda")
    rooms: list[Room | None] = []

    def learn(room: Room | None) -> Tensor:
        rooms.append(room)
        return weight.add_(1)

    function = Recorded(learn, torch.device("cuda"), lambda: [weight])
    for needed in (Room(5, 7), Room(8, 8), Room(9, 7), Room(3, 3)):
        function(needed)
    assert weight.tolist() == [4] * 3
    assert set(rooms) == {Room(8, 8), Room(16, 8)}  # powers of two, and only when there was too little
