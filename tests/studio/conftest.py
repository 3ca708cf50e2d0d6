"""A studio that really listens, and somebody who talks to it."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser
from studio.browser import Visitor, chromium
from studio.listening import listening

from brickbybrick.studio.endpoints import Studio
from brickbybrick.studio.server import warm_up


@pytest.fixture(scope="session")
def studio() -> Studio:
    made = Studio()
    warm_up(made)
    return made


@pytest.fixture(scope="session")
def address(studio: Studio) -> Iterator[str]:
    with listening(studio) as address:
        yield address


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    """Opens pages; none of them may have complained in the end."""
    visitor = Visitor(browser, address)
    yield visitor
    visitor.leave()
    assert visitor.complaints == []
