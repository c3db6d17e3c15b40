"""Workers of pitboss as actors of Ray: see pitboss-ray.

This process is Ray's driver. It runs pitboss with a command as --workers that connects to it; each
connection gets an actor of its own, which runs `pitboss worker` on whatever node Ray places it. Where
a node is lost, Ray starts its actors on another and asks them again.
"""

import argparse
import hashlib
import json
import os
import shlex
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

# Set once pitboss has ended; threads that ask Ray until then.
ENDED = threading.Event()
PULSES = []


def connect(path):
    """What --workers starts: standard input and output as a connection."""
    link = socket.socket(socket.AF_UNIX)
    link.connect(path)

    def send():
        while data := os.read(0, 1 << 16):
            link.sendall(data)
        link.shutdown(socket.SHUT_WR)

    threading.Thread(target=send, daemon=True).start()
    while data := link.recv(1 << 16):
        while data:
            data = data[os.write(1, data) :]


def own_folder():
    """A folder for programs in the node's temporary one, where nobody else can put any."""
    path = os.path.join(tempfile.gettempdir(), f"pitboss-{os.getuid()}")
    os.makedirs(path, mode=0o700, exist_ok=True)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PermissionError(f"{path} is not a folder that this user alone writes to; remove it")
    return path


class Worker:
    """Runs `pitboss worker` on a node."""

    def __init__(self, program):
        digest = hashlib.sha256(program).hexdigest()[:16]
        path = os.path.join(own_folder(), digest)
        if not os.path.exists(path):
            own = f"{path}.{os.getpid()}"
            with open(own, "wb") as file:
                file.write(program)
            os.chmod(own, 0o700)
            os.replace(own, path)
        self.process = subprocess.Popen(
            [path, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.first = self.read()
        self.scenarios = set()

    def read(self):
        while line := self.process.stdout.readline():
            if not line.startswith(b'{"alive"'):
                return line
        os._exit(1)  # Ray starts the actor again and asks again.

    def pulse(self):
        return True

    def hello(self):
        return self.first

    def answer(self, digest, scenario, request):
        import ray

        if digest not in self.scenarios:
            self.scenarios.add(digest)
            self.process.stdin.write(scenario)
        self.process.stdin.write(request)
        self.process.stdin.flush()
        return ray.get_runtime_context().get_node_id()[:8], self.read()


def serve(link, new_actor, answers):
    """One worker of pitboss: a connection and its actor."""
    import ray

    lock = threading.Lock()
    is_open = True

    def write(line):
        nonlocal is_open
        with lock:
            try:
                link.sendall(line)
            except OSError:
                is_open = False

    def done(future):
        nonlocal is_open
        try:
            node, line = future.result()
            answers[node] = answers.get(node, 0) + 1
            write(line)
        except Exception as error:
            if is_open:
                print(f"pitboss-ray: {error}", file=sys.stderr)
            is_open = False
            try:
                # Who reads a link keeps it open: pitboss is to hear of the loss.
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def pulse():
        # While the actor is on no node there is no answer, and pitboss takes it for lost in the end.
        while not ENDED.wait(1) and is_open:
            try:
                if ray.get(actor.pulse.options(concurrency_group="pulse").remote()):
                    write(b'{"alive":true}\n')
            except Exception:
                return

    actor = new_actor()
    try:
        write(ray.get(actor.hello.remote()))
        thread = threading.Thread(target=pulse, daemon=True)
        thread.start()
        PULSES.append(thread)
        scenarios = {}
        for line in link.makefile("rb"):
            message = json.loads(line)
            if "scenario" in message:
                scenarios[message["scenario"]["digest"]] = ray.put(line)
            elif "request" in message:
                digest = message["request"]["scenario"]
                asked = actor.answer.remote(digest, scenarios[digest], line)
                asked.future().add_done_callback(done)
            # A request to drop is not passed on: the answer that comes all the same is compared.
    finally:
        # pitboss waits for whoever has a link.
        is_open = False
        link.close()
        if not ENDED.is_set():
            ray.kill(actor)


def main():
    if sys.argv[1:2] == ["--connect"]:
        return connect(sys.argv[2])
    parser = argparse.ArgumentParser(prog="pitboss-ray")
    parser.add_argument("--address")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("experiment", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.experiment:
        parser.error("name an experiment, such as: project SCENARIO")
    if options.experiment[0] == "check":
        parser.error("answers experiments; give check its workers with --workers")
    import ray

    ray.init(address=options.address, log_to_driver=False, logging_level="warning")
    program = os.environ.get("PROGRAM", "pitboss")
    binary = subprocess.run(["sh", "-c", 'command -v "$0"', program], capture_output=True)
    if binary.returncode:
        parser.error(f"there is no {program}; set PROGRAM")
    with open(binary.stdout.decode().strip(), "rb") as file:
        reference = ray.put(file.read())
    actor = ray.remote(
        num_cpus=1, max_restarts=-1, max_task_retries=-1, concurrency_groups={"pulse": 1}
    )(Worker)
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "workers")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1024)

        def accept():
            while True:
                link, _ = listener.accept()
                arguments = (link, lambda: actor.remote(reference), answers)
                threading.Thread(target=serve, args=arguments, daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        jobs = options.jobs or int(ray.cluster_resources().get("CPU", 1))
        words = [sys.executable, "-S", os.path.abspath(__file__), "--connect", path]
        code = subprocess.call(
            [program, *options.experiment, "--workers", shlex.join(words), "--jobs", str(jobs)]
        )
    # Nobody asks Ray once it has been shut down: it would begin another one, or end this process.
    ENDED.set()
    until = time.monotonic() + 10
    for thread in PULSES:
        thread.join(max(0, until - time.monotonic()))
    shares = ", ".join(f"{count} on {node}" for node, count in sorted(answers.items()))
    print(f"pitboss-ray: {sum(answers.values())} answers: {shares}", file=sys.stderr)
    ray.shutdown()
    return code


if __name__ == "__main__":
    sys.exit(main())
