"""Ray, where it is wanted: a connection to a cluster for as long as it is needed."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from brickbybrick.errors import InputError, how_to_install


@contextmanager
def ray_cluster(address: str | None = None) -> Iterator[ModuleType]:
    """Ray, connected to the cluster of this program, of an address, or to one started here for this purpose."""
    try:
        import ray
    except ImportError as error:
        raise InputError(f"clusters need Ray: {how_to_install('ray')}") from error
    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(address=address, log_to_driver=False, include_dashboard=False, configure_logging=False)
        except (ConnectionError, ValueError) as error:
            raise InputError(f"no Ray cluster at {address}: {' '.join(str(error).split())[:200]}") from error
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()
