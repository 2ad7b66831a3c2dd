"""nginx from the distribution's package, with the very file that docs/deploy.md gives.

Only names, ports and paths are substituted. It speaks TLS on loopback, with a
certificate of an authority made for the test.
"""

import contextlib
import getpass
import os
import re
import shutil
import socket
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

import trustme

from tests.live_site import ROOT, eventually, free_port

NAME = "prefill.example.org"
CONF = ROOT / "docs/deploy/nginx.conf"
MAIN = """
user {user};
daemon off;
error_log {folder}/error.log info;
pid {folder}/pid;
events {{ worker_connections 2048; }}
http {{
    default_type application/octet-stream;
    access_log {folder}/plain.log;
    gzip on;  # as Debian sets it
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/prefill.conf;
}}
"""


@dataclass(frozen=True)
class Proxy:
    port: int
    plain_port: int
    folder: Path
    trust: ssl.SSLContext

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    def logs(self):
        """Whatever it wrote down."""
        return "".join(path.read_text() for path in self.folder.glob("*.log"))

    def log(self):
        return (self.folder / "access.log").read_text()


def program():
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")


def site_conf(folder, port, plain_port, upstream):
    text = CONF.read_text()
    for pattern, value in {
        r"server 127\.0\.0\.1:8765;": f"server 127.0.0.1:{upstream};",
        r"listen 80;": f"listen 127.0.0.1:{plain_port};",
        r"listen 443 ": f"listen 127.0.0.1:{port} ",
        r"server_name prefill\.example\.org;": "server_name localhost;",
        r"/etc/prefill/tls": str(folder),
        r"/var/log/nginx/prefill\.log": f"{folder}/access.log",
        r"/var/log/nginx/prefill-error\.log": f"{folder}/prefill-error.log",
    }.items():
        text, count = re.subn(pattern, value, text)
        assert count, f"docs/deploy/nginx.conf has no {pattern}"
    return text


@contextlib.contextmanager
def in_front_of(upstream, folder):
    """A Proxy before the port `upstream` of this machine; its files are in `folder`."""
    port, plain_port = free_port(), free_port()
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    certificate.private_key_pem.write_to_path(folder / "privkey.pem")
    for part in certificate.cert_chain_pems:
        part.write_to_path(folder / "fullchain.pem", append=True)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    (folder / "main.conf").write_text(
        MAIN.format(folder=folder, user=getpass.getuser())
    )
    conf = site_conf(folder, port, plain_port, upstream)
    (folder / "prefill.conf").write_text(conf)
    folder.chmod(0o755)
    command = [program(), "-p", str(folder), "-c", str(folder / "main.conf")]
    errors = folder / "stderr.log"
    with errors.open("w") as said, subprocess.Popen(command, stderr=said) as process:
        try:
            eventually(lambda: connects(port), 10, errors.read_text)
            yield Proxy(port, plain_port, folder, trust)
        finally:
            process.terminate()


def connects(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
