"""One thread for PyTorch."""

import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)  # small matrices: waiting for a second one takes longer than the work
