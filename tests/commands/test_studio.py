"""b3 studio, as a user runs it."""

import os
import signal
import socket
import subprocess
import sys

import httpx
from command_line import b3


def test_the_command_says_where_it_is() -> None:
    program = [sys.executable, "-c", "from brickbybrick.cli import main; main()", "studio", "--port", "0"]
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        assert running.stdout is not None
        line = running.stdout.readline()
        address = line.split()[4]
        with httpx.Client(base_url=address, timeout=60, transport=httpx.HTTPTransport(retries=5)) as client:
            assert client.get("/api/agents").status_code == 200
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(90)  # it may be warming up
        running.stdout.close()
    assert running.returncode in (0, 130, -signal.SIGINT)


def test_a_taken_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = b3("studio", "--port", port, expect=2, apart=True)
    assert result.stderr.splitlines()[-1].startswith(f"b3: cannot listen at 127.0.0.1:{port}")
    b3("studio", "--port", "99999", expect=2, apart=True)


def test_a_missing_package_is_one_line() -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; from brickbybrick.cli import main; main(['studio', '--port', '0'])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "b3: this needs uvicorn: pip install 'brickbybrick[studio]'\n"
