"""The agent's network: views side by side, two masked choices, whatever the bricks are called, and as large as the
paper's."""

import pytest
import torch
from policies.networks import VARIANTS, actions_mask, network
from torch import Tensor

from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig, Observation, TargetEncoder


def test_probabilities_are_two_masked_softmaxes(states: tuple[Observation, Tensor]) -> None:
    """Log p of every action against a brute-force computation; invalid ones have exactly probability 0."""
    seen, mask = states
    policy = network()
    bricks, offsets = mask.shape[1:]
    for state in range(0, len(mask), 3):
        pivots = torch.nonzero(mask[state].any(dim=1)).flatten()
        actions = torch.cartesian_prod(pivots, torch.arange(offsets))
        copies = Observation(seen.images, *(part[state].expand(len(actions), *part.shape[1:]) for part in seen[1:5]))
        with torch.no_grad():
            log_prob = policy.judge(copies, mask[state].expand(len(actions), -1, -1), actions).log_prob
            graphs, context, for_pivot, for_offset = policy.embed(
                Observation(seen.images, *(p[state][None] for p in seen[1:5]))
            )
            pivot_logits = policy.pivot_logits(graphs, context, for_pivot)[0].double()
            offset_logits = policy.offset_logits(graphs, context, for_offset, torch.arange(bricks)[None])[0].double()
        for (pivot, offset), found in zip(actions.tolist(), log_prob.exp().tolist(), strict=True):
            if not mask[state, pivot, offset]:
                assert found == 0
                continue
            by_hand = share(pivot_logits, mask[state].any(dim=1), pivot)
            by_hand *= share(offset_logits[pivot], mask[state, pivot], offset)
            assert found == pytest.approx(by_hand, rel=1e-4)
        assert log_prob.exp().sum().item() == pytest.approx(1, abs=1e-5)


def share(logits: Tensor, mask: Tensor, index: int) -> float:
    weights = logits.exp() * mask
    return float(weights[index] / weights.sum())


def test_draws_follow_the_probabilities_and_the_mask(states: tuple[Observation, Tensor]) -> None:
    seen, mask = states
    policy = network()
    one = Observation(seen.images, *(part[8:9] for part in seen[1:5]))
    many = Observation(one.images, *(part.expand(4000, *part.shape[1:]) for part in one[1:5]))
    torch.manual_seed(0)
    with torch.no_grad():
        choice = policy.act(many, mask[8:9].expand(4000, -1, -1))
    assert mask[8][choice.actions[:, 0], choice.actions[:, 1]].all()
    drawn = torch.bincount(choice.actions[:, 0], minlength=9) / 4000
    with torch.no_grad():
        graphs, context, for_pivot, _ = policy.embed(one)
        logits = policy.pivot_logits(graphs, context, for_pivot)
    wanted = torch.softmax(logits.masked_fill(~mask[8:9].any(-1), -torch.inf), dim=-1)[0]
    torch.testing.assert_close(drawn, wanted, rtol=0, atol=0.04)


@pytest.mark.parametrize("options", VARIANTS)
def test_renaming_the_bricks_renames_the_pivots(states: tuple[Observation, Tensor], options: dict[str, object]) -> None:
    """Any permutation that keeps the first brick permutes the pivots' logits and changes nothing else."""
    seen, _ = states
    policy = network(**options)
    order = torch.tensor([0, 4, 7, 2, 8, 1, 3, 6, 5])  # new place -> old place
    place = order.argsort()
    rows = [8, 17, 26]  # all nine bricks are placed
    neighbours = seen.neighbours[rows][:, order].long()
    renamed = torch.where(neighbours >= 0, place[neighbours.clamp(min=0)], -1).to(torch.int16)
    before = Observation(seen.images, *(part[rows] for part in seen[1:5]))
    after = before._replace(nodes=before.nodes[:, order], neighbours=renamed)
    with torch.no_grad():
        outputs = []
        for each in (before, after):
            graphs, context, for_pivot, for_offset = policy.embed(each)
            outputs.append(
                (
                    policy.pivot_logits(graphs, context, for_pivot),
                    policy.offset_logits(graphs, context, for_offset, torch.arange(9).expand(3, 9)),
                    policy.value(graphs, context, for_pivot, for_offset),
                )
            )
    (pivots, offsets, value), (new_pivots, new_offsets, new_value) = outputs
    torch.testing.assert_close(new_pivots, pivots[:, order], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(new_offsets, offsets[:, order], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(new_value, value, rtol=1e-4, atol=1e-5)


def test_only_node_features_know_where_the_model_is(states: tuple[Observation, Tensor]) -> None:
    seen, mask = states
    moved = seen._replace(nodes=seen.nodes + torch.tensor([5, -3, 2, 0], dtype=torch.int16))
    actions = torch.zeros((len(seen.bricks), 2), dtype=torch.int64)
    mask = mask | actions_mask(mask, actions)
    for options, changes in (({"node_features": False}, False), ({}, True)):
        policy = network(**options)
        with torch.no_grad():
            here, there = (policy.judge(each, mask, actions) for each in (seen, moved))
        assert (not torch.allclose(here.log_prob, there.log_prob, atol=1e-6)) == changes


def test_the_sizes_of_the_papers_agents() -> None:
    """About 0.42 million parameters for digits and 1.6 million elsewhere."""
    digits = sum(p.numel() for p in ActorCritic(ModelConfig(views=1, offsets=6, width=64)).parameters())
    others = sum(p.numel() for p in ActorCritic(ModelConfig(views=3, offsets=32, width=192)).parameters())
    assert digits == pytest.approx(0.42e6, rel=0.02)
    assert others == pytest.approx(1.6e6, rel=0.02)


@torch.no_grad()
def test_probabilities_are_those_that_actions_are_drawn_with(states: tuple[Observation, Tensor]) -> None:
    seen, mask = states
    policy = network()
    shares = policy.probabilities(seen, mask)
    possible = mask.any(dim=(1, 2))
    torch.testing.assert_close(shares.sum(dim=(1, 2)), possible.float())
    assert not shares[~mask].any()
    choice = policy.act(seen, mask)
    drawn = shares[torch.arange(len(shares)), choice.actions[:, 0], choice.actions[:, 1]]
    torch.testing.assert_close(drawn[possible].log(), choice.log_prob[possible], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("views", [1, 3])
@torch.no_grad()
def test_each_view_has_a_vector_of_its_own(views: int) -> None:
    torch.manual_seed(0)
    encoder = TargetEncoder(views)
    images = torch.rand(5, views, 14, 14) > 0.5
    whole = encoder(images)
    assert whole.shape == (5, 64 * views)
    for view in range(views):
        changed = images.clone()
        changed[:, view] = ~changed[:, view]
        different = (encoder(changed) != whole).reshape(5, views, 64).any(dim=2).any(dim=0)
        assert different.tolist() == [other == view for other in range(views)]


@torch.no_grad()
def test_views_are_read_by_one_network() -> None:
    torch.manual_seed(0)
    encoder = TargetEncoder(3)
    image = torch.rand(4, 1, 14, 14) > 0.5
    same = encoder(image.expand(-1, 3, -1, -1)).reshape(4, 3, 64)
    torch.testing.assert_close(same[:, 0], same[:, 1])
    torch.testing.assert_close(same[:, 0], same[:, 2])


@torch.no_grad()
def test_an_image_is_still_to_be_seen_after_ten_layers() -> None:
    """An untrained network tells digits apart: vectors differ by more than a tenth of their length."""
    torch.manual_seed(0)
    encoded = TargetEncoder(1)(torch.rand(20, 1, 14, 14) > 0.7)
    apart = torch.cdist(encoded, encoded)[~torch.eye(20, dtype=torch.bool)]
    assert apart.min() > 0.1 * encoded.norm(dim=1).mean()
