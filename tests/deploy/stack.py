"""The processes that deploy/compose.yaml starts, on this machine and without containers."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template

import httpx
import yaml  # type: ignore[import-untyped]

DEPLOY = Path(__file__).parents[2] / "deploy"
SRC = DEPLOY.parent / "src"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_PASSWORD = {"POSTGRES_PASSWORD": "secret"}


def compose_environment(service: str) -> dict[str, str]:
    """Return the environment that the compose file gives to a service."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    given = {name: str(value) for name, value in services[service]["environment"].items()}
    needed = f":?{'write POSTGRES_PASSWORD=... to the file .env'}"
    return {
        name: Template(value.replace(needed, "")).substitute(_PASSWORD)
        for name, value in given.items()
    }


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def web(database: str, log: Path) -> Iterator[str]:
    """Run `carril serve` with the settings of the compose file; yield its host and port."""
    port = free_port()
    here = {"CARRIL_DATABASE": database, "CARRIL_PORT": str(port), "CARRIL_HOST": "127.0.0.1"}
    here |= {"CARRIL_PROXIES": "127.0.0.1", "CARRIL_METRICS_PORT": "0", "PYTHONPATH": str(SRC)}
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "carril", "serve"],
            env=os.environ | compose_environment("web") | here,
            stdout=output,
            stderr=output,
        )
    try:
        _wait(f"http://127.0.0.1:{port}/api/ready", process, log)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def proxy(upstream: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Run nginx with a self-signed certificate; yield its addresses with HTTPS and HTTP."""
    secure, plain = free_port(), free_port()
    _make_certificate(folder)
    values = {
        "CARRIL_UPSTREAM": upstream,
        "CARRIL_HTTP_PORT": f"127.0.0.1:{plain}",
        "CARRIL_HTTPS_PORT": f"127.0.0.1:{secure}",
        "CARRIL_CERTIFICATES": str(folder),
    }
    template = Template((DEPLOY / "nginx.conf.template").read_text("utf-8"))
    site = folder / "site.conf"
    site.write_text(template.safe_substitute(values))
    main = folder / "nginx.conf"
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary} include {site}; }}\n"
    )
    assert NGINX
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(main)])
    try:
        _wait(f"https://127.0.0.1:{secure}/api/health", process, folder / "error.log")
        yield f"https://127.0.0.1:{secure}", f"http://127.0.0.1:{plain}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def trusting(folder: Path) -> ssl.SSLContext:
    """Return what lets a client trust the certificate of the proxy."""
    return ssl.create_default_context(cafile=str(folder / "fullchain.pem"))


def _make_certificate(folder: Path) -> None:
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command = ["openssl", "req", "-x509", *kind, *files, *names]
    subprocess.run(command, check=True, capture_output=True)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until an address answers."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text("utf-8")
        try:
            if httpx.get(url, verify=False, timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer: {log.read_text('utf-8')}")
