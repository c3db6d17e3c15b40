"""M/M/1 as SimPy's documentation writes it: a process a customer, a Resource for the server.

Usage: mm1_simpy.py CUSTOMERS. Prints customers a second and the mean wait.
"""

import random
import sys
import time

import simpy


def customer(env, server, arrivals, services, waits, done, customers):
    """Waits for the server, is served, leaves."""
    arrived = env.now
    with server.request() as turn:
        yield turn
        waits[0] += 1
        waits[1] += env.now - arrived
        if waits[0] == customers:
            done.succeed()
        yield env.timeout(services.expovariate(1.0))


def source(env, server, arrivals, services, waits, done, customers):
    """Lets customers arrive at rate 0.8."""
    while True:
        env.process(customer(env, server, arrivals, services, waits, done, customers))
        yield env.timeout(arrivals.expovariate(0.8))


def main():
    customers = int(sys.argv[1])
    begin = time.perf_counter()
    env = simpy.Environment()
    server = simpy.Resource(env, capacity=1)
    waits = [0, 0.0]
    done = env.event()
    env.process(
        source(env, server, random.Random(1), random.Random(2), waits, done, customers)
    )
    env.run(until=done)
    seconds = time.perf_counter() - begin
    print(f"{customers / seconds:.0f} {waits[1] / waits[0]:.9f}")


if __name__ == "__main__":
    main()
