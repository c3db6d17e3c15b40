"""See test-ray."""

import filecmp
import os
import subprocess
import sys
import tempfile
import time

from ray.cluster_utils import Cluster

here = os.path.dirname(os.path.abspath(__file__))
count = sys.argv[1]
scenario = "name: tiny\npopulation: {members: 60}\ncalendar: {days: 40}\n"
flags = ["--replications", count, "--antithetic", "on", "--no-assumptions", "--plotly", "cdn"]
flags += ["--quiet", "--progress", "never"]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("tiny.yaml", "w") as file:
        file.write(scenario)
    begin = time.time()
    subprocess.run(
        [os.environ["PROGRAM"], "project", "tiny.yaml", *flags, "--out", "one"], check=True
    )
    alone = time.time() - begin
    print(f"one process, {os.cpu_count()} threads: {alone:.1f} s", flush=True)
    # The first has a place to spare for the worker of the one that is killed.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    others = [cluster.add_node(num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes()
    begin = time.time()
    run = subprocess.Popen(
        [f"{here}/pitboss-ray", "--address", cluster.address, "--jobs", "3", "project"]
        + ["tiny.yaml", *flags, "--out", "ray"],
        stderr=subprocess.PIPE,
        text=True,
    )
    # The rows appear as replications are added.
    while not any(
        name.startswith(".ray") or name.startswith("ray") for name in os.listdir(".")
    ) or not sum(
        os.path.getsize(os.path.join(place, name))
        for place, _, names in os.walk(".")
        for name in names
        if name == "replications.csv" and "one" not in place
    ):
        if run.poll() is not None:
            sys.exit(f"ended too early: {run.stderr.read()}")
        time.sleep(0.1)
    time.sleep(2)
    if run.poll() is not None:
        sys.exit("the run was over before a node could be killed; give more replications")
    cluster.remove_node(others[0], allow_graceful=False)
    print(f"a node was killed after {time.time() - begin:.1f} s", flush=True)
    said = run.communicate()[1].strip()
    print(f"three nodes of Ray, one killed: {time.time() - begin:.1f} s", flush=True)
    print(said)
    if run.returncode:
        sys.exit(f"ended with {run.returncode}")
    names = sorted(os.listdir("one"))
    if names != sorted(os.listdir("ray")):
        sys.exit(f"other files: {names} and {sorted(os.listdir('ray'))}")
    _, different, failed = filecmp.cmpfiles("one", "ray", names, shallow=False)
    if different or failed:
        sys.exit(f"not the same: {different + failed}")
    print(f"the same bytes: {', '.join(names)}")
    cluster.shutdown()
