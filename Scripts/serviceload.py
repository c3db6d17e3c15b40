"""A service on loopback and load for it, for the scripts that measure one."""

import atexit
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = str(ROOT / ".build/release/pitboss")

SCANS = """
local codes, tokens = {}, {}
for line in io.lines("%s/codes") do codes[#codes + 1] = line end
for line in io.lines("%s/tokens") do tokens[#tokens + 1] = line end
local place = 0
delay = function() return %d end
request = function()
  place = place + 1
  local headers = {["Authorization"] = "Bearer " .. tokens[place * 7919 %% #tokens + 1]}
  if place %% %d == 0 then return wrk.format("GET", "/users/me/wallet", headers) end
  headers["Idempotency-Key"] = "%s" .. place
  return wrk.format("POST", "/scans/submit", headers,
    '{"code": "' .. codes[(place - 1) %% #codes + 1] .. '"}')
end
"""


# What ends a script ends what it started, too: `atexit` alone does not see a signal.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class Service:
    """`pitboss serve` as a process of its own; `seconds` is the time to its first connection.

    With `store`, the address of a database, `data` is the folder of its secrets."""

    def __init__(self, binary, data, *flags, store=None):
        self.binary, self.data, self.flags = binary, data, flags
        self.place = ["--data", data]
        if store:
            Path(data).mkdir(exist_ok=True)
            self.place = ["--store", store, "--secrets", f"{data}/secrets.json"]
        self.process = None
        atexit.register(self.end)
        self.start()

    def start(self):
        binary, data = self.binary, self.data
        began = time.monotonic()
        self.process = subprocess.Popen(
            [binary, "serve", "launch-year", *self.place, "--port", "0", "--rate", "1000000",
             *self.flags],
            cwd=ROOT, stderr=subprocess.PIPE, text=True,
            # A caller's own settings would make it another service.
            env={name: value for name, value in os.environ.items()
                 if not name.startswith("PITBOSS_")})
        said = []
        for line in self.process.stderr:
            said.append(line)
            if "Serving at" in line:
                break
        else:
            sys.exit(f"the service did not start: {''.join(said)}")
        self.seconds = time.monotonic() - began
        # Whatever it says later is read, or it would wait for a reader once the pipe is full.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.port = int(line.split("Serving at ")[1].split()[0].rsplit(":", 1)[1])
        self.administrator = json.load(open(f"{data}/secrets.json"))["administrator"]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def call(self, method, path, body=None, token=None, key=None, connection=None):
        """The status and the body of an answer."""
        own = connection or self.connect()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if key:
            headers["Idempotency-Key"] = key
        own.request(method, path, None if body is None else json.dumps(body), headers)
        answer = own.getresponse()
        text = answer.read()
        if not connection:
            own.close()
        return answer.status, text

    def ask(self, method, path, body=None, token=None, key=None):
        return self.call(method, path, body, token, key)[1]

    def join(self, name):
        """Signs a member up and gives their token."""
        account = {"email": f"{name}@example.com", "password": "0123456789"}
        self.ask("POST", "/auth/signup", {**account, "birth_date": "1980-01-31"})
        return json.loads(self.ask("POST", "/auth/login", account))["token"]

    def print_tins(self, count):
        """Codes of tins that nobody has scanned, at most 100,000."""
        printed = json.loads(
            self.ask("POST", "/admin/tins", {"count": count}, self.administrator))["printed"]
        codes = []
        for first in range(printed - count, printed, 10_000):
            answer = self.ask(
                "GET", f"/admin/tins?from={first}&count={min(10_000, printed - first)}",
                token=self.administrator)
            codes += json.loads(answer)["codes"]
        return codes

    def metrics(self):
        text = self.ask("GET", "/metrics").decode()
        return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.M)}

    def requests(self):
        return int(self.metrics()["pitboss_requests_total"])

    def memory(self):
        """MiB of memory that the process holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def end(self):
        """Ends it at once, where it still runs."""
        if self.process and self.process.poll() is None:
            self.stop(kill=True)

    def stop(self, kill=False):
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait()


class Load:
    """Members who scan tins, each tin once."""

    def __init__(self, service, folder, members):
        self.service, self.folder = service, folder
        self.turn = 0
        self.tokens = [service.join(f"m{member}") for member in range(members)]
        Path(f"{folder}/tokens").write_text("\n".join(self.tokens) + "\n")

    def codes(self, count):
        codes = []
        while len(codes) < count:
            codes += self.service.print_tins(min(100_000, count - len(codes)))
        return codes

    def run(self, seconds, codes, rate=0, connections=64, reads=1_000_000_000):
        """Scans for some seconds: as fast as it goes, or at about a rate; every `reads`-th request
        looks at a wallet instead."""
        self.turn += 1
        codes = self.codes(codes)
        if not shutil.which("wrk"):
            return self.built_in(seconds, codes, rate or 500)
        Path(f"{self.folder}/codes").write_text("\n".join(codes) + "\n")
        pause = round(connections / rate * 1_000) if rate else 0
        Path(f"{self.folder}/scans.lua").write_text(
            SCANS % (self.folder, self.folder, pause, reads, f"t{self.turn}-"))
        subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "-s", f"{self.folder}/scans.lua",
             f"http://127.0.0.1:{self.service.port}"], check=True, stdout=subprocess.DEVNULL)

    def built_in(self, seconds, codes, rate):
        """The same without wrk, more slowly."""
        places, lock, end = iter(range(len(codes))), threading.Lock(), time.monotonic() + seconds

        def client(number):
            while time.monotonic() < end:
                with lock:
                    place = next(places, None)
                if place is None:
                    return
                self.service.ask(
                    "POST", "/scans/submit", {"code": codes[place]},
                    self.tokens[place * 7919 % len(self.tokens)], f"t{self.turn}-{place}")
                time.sleep(8 / rate)

        threads = [threading.Thread(target=client, args=(number,), daemon=True) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
