"""`b3 studio`: the page on which people and agents build together."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Studio:
    """Open a local page to draw, watch an agent build, take over, and fetch the instructions."""

    host: str = "127.0.0.1"
    """Address to listen at; only this machine can reach the one given here."""
    port: int = 8000
    """Port to listen at; 0 for any that is free."""
    open: bool = False
    """Open the page in the browser."""

    def run(self) -> None:
        from brickbybrick.studio.server import serve

        serve(self.host, self.port, self.open)
