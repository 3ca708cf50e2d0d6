"""Networks that look at half the precision see what they saw."""

import copy

import pytest
import torch

from brickbybrick.policies import quick
from brickbybrick.policies.volume import VolumeConfig, VolumeNetwork, believed


def test_a_quick_network_believes_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    network = VolumeNetwork(VolumeConfig(width=16, layers=2, cells=8)).eval()
    hulls = torch.rand(4, 14, 14, 14) < 0.5
    budgets = torch.tensor([0, 30, 60, 90])
    before = copy.deepcopy(network.state_dict())
    monkeypatch.setattr(quick, "halves_time", lambda: True)
    halved = quick.quick(network)
    with torch.no_grad():
        difference = believed(network, hulls, budgets) - believed(halved, hulls, budgets)
    assert halved.last.weight.dtype is torch.bfloat16
    assert 0 < float(difference.abs().max()) < 0.05
    assert all(torch.equal(before[name], weight) for name, weight in network.state_dict().items())
    monkeypatch.setattr(quick, "halves_time", lambda: False)
    assert quick.quick(network) is network
