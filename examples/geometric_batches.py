"""Constructions as a batch of graphs of PyTorch Geometric, made from the arrays of the compiled batch.

Run it with: python examples/geometric_batches.py [STEPS]
"""

import sys

import gymnasium
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GraphConv, global_mean_pool


def graph_of(nodes: torch.Tensor, neighbours: torch.Tensor, bricks: int) -> Data:
    """One construction: a node for each brick, two edges for each stud contact."""
    owner, place = (neighbours[:bricks] >= 0).nonzero(as_tuple=True)
    return Data(x=nodes[:bricks].float(), edge_index=torch.stack([neighbours[owner, place].long(), owner]))


def main(steps: int = 20, num_envs: int = 16) -> None:
    envs = gymnasium.make_vec("brickbybrick:brickbybrick/RandomAssembly-v0", num_envs=num_envs, copy=False)
    envs.action_space.seed(0)
    layer = GraphConv(4, 32)
    seen, info = envs.reset(seed=0)
    for _ in range(steps):
        seen, _, _, _, info = envs.step(envs.action_space.sample(mask=info["action_mask"]))
        nodes, neighbours = torch.from_numpy(seen["nodes"]), torch.from_numpy(seen["neighbours"])  # without a copy
        batch = Batch.from_data_list(list(map(graph_of, nodes, neighbours, seen["n_bricks"].tolist())))
        pooled = global_mean_pool(layer(batch.x, batch.edge_index), batch.batch)  # (env, feature)
    print(f"{batch.num_graphs} graphs, {batch.num_nodes} bricks, {batch.num_edges} edges, pooled {tuple(pooled.shape)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
