"""A PostgreSQL server of a script's own, from Debian's package, on a socket in a folder of its own."""

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


# What ends a script ends what it started, too: `atexit` alone does not see a signal.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class Postgres:
    """Started when it is made; it ends with the script."""

    def __init__(self):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
        if not found:
            sys.exit("PostgreSQL is missing: apt-get install postgresql")
        self.programs = found[-1]
        self.folder = tempfile.mkdtemp(prefix="pitboss-pg-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.user = None
        if os.getuid() == 0:
            # It refuses to run as root.
            self.user = "postgres"
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, -1)
        atexit.register(self.close)
        self.program("initdb", "-U", "postgres", "-A", "trust", "--no-locale", "-E", "UTF8")
        self.start()

    def program(self, name, *flags):
        before = ["runuser", "-u", self.user, "--"] if self.user else []
        subprocess.run(
            [*before, self.programs / name, "-D", f"{self.folder}/data", *flags], check=True,
            stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.program(
            "pg_ctl", "-l", f"{self.folder}/data/log", "-w", "-o",
            f"-c listen_addresses= -c unix_socket_directories={self.folder} -c max_connections=100",
            "start")

    def stop_at_once(self):
        """As a power cut would: nothing is written that was not."""
        self.program("pg_ctl", "-m", "immediate", "stop")

    def address(self, database="postgres"):
        return f"postgres://postgres@/{database}?host={self.folder}"

    def run(self, sql, database="postgres"):
        return subprocess.run(
            [self.programs / "psql", "-X", "-q", "-A", "-t", "-c", sql, self.address(database)],
            check=True, capture_output=True, text=True).stdout.strip()

    def pgbench(self, script, seconds, clients):
        """Transactions a second and their mean milliseconds, of one SQL script."""
        path = f"{self.folder}/script.sql"
        Path(path).write_text(script)
        text = subprocess.run(
            [self.programs / "pgbench", "-n", "-f", path, "-T", str(seconds), "-c", str(clients),
             "-j", "1", "-M", "prepared", "-h", self.folder, "-U", "postgres", "postgres"],
            check=True, capture_output=True, text=True).stdout
        words = {line.split(" = ")[0]: line.split(" = ")[1] for line in text.splitlines()
                 if " = " in line}
        return float(words["tps"].split()[0]), float(words["latency average"].split()[0])

    def close(self):
        if self.folder:
            folder, self.folder = self.folder, None
            subprocess.run(
                [*(["runuser", "-u", self.user, "--"] if self.user else []),
                 self.programs / "pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
            shutil.rmtree(folder, ignore_errors=True)
