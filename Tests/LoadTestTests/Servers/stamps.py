"""A loyalty service of somebody else: stamps on cards, in Python, with paths and words of its own.

stamps.py [--fail-every N] [--drop-every N] [--slow MS] [--places N] [--people N] [--says TEXT]
          [--hang-after N] [--close-idle] [--reset] [--certificate PEM] [--port N]

Prints its port. Every N-th new stamp is refused with 503 before it counts (--fail-every), or counted
and then cut off without an answer (--drop-every), with --reset by a reset of the connection (RST) and
not its end. A stamp counts once by its key. People join at a
desk that takes half of --slow more for each of its two steps, up to --places of them. It hands
out --people accounts, and says TEXT when asked how many it has made. After --hang-after stamps it
answers none any more. With --close-idle it closes a connection
as soon as it has answered on it. With a --certificate, a file that holds its key as well, it speaks https.
"""
import argparse
import asyncio
import json
import socket
import ssl
import struct
import urllib.parse

options = argparse.ArgumentParser()
options.add_argument("--fail-every", type=int, default=0)
options.add_argument("--drop-every", type=int, default=0)
options.add_argument("--slow", type=float, default=0)
options.add_argument("--places", type=int, default=1_000_000)
options.add_argument("--people", type=int, default=1_000_000)
options.add_argument("--says", default="0")
options.add_argument("--hang-after", type=int, default=1_000_000)
options.add_argument("--close-idle", action="store_true")
options.add_argument("--reset", action="store_true")
options.add_argument("--certificate")
options.add_argument("--port", type=int, default=0)
options = options.parse_args()

keys = {}
used = {}
joined = {}
failed = set()
seen = {"attempts": 0, "new": 0, "repeats": 0, "tokens": set()}


def stamp(headers, member, code):
    """The status and body for a stamp; None cuts the connection."""
    key = headers["x-request-id"]
    seen["attempts"] += 1
    seen["tokens"].add(headers["authorization"])
    if key in keys:
        seen["repeats"] += 1
        return keys[key]
    if key not in failed:
        seen["new"] += 1
        if options.fail_every and seen["new"] % options.fail_every == 0:
            failed.add(key)
            return 503, {"state": "later"}
    state = "used" if code in used else "counted" if code.startswith("S") else "unknown"
    if state == "counted":
        used[code] = member
    keys[key] = (200, {"state": state, "card": {"level": "gold" if len(used) > 10 else "new"}})
    if options.drop_every and seen["new"] % options.drop_every == 0:
        return None
    return keys[key]


def answer(method, path, headers, body):
    url = urllib.parse.urlsplit(path)
    query = dict(urllib.parse.parse_qsl(url.query))
    if method == "PUT" and url.path.startswith("/v2/cards/"):
        return stamp(headers, url.path.split("/")[3], json.loads(body)["stamp"])
    if url.path == "/v2/people":
        first = int(query["first"])
        last = min(first + int(query["n"]), options.people)
        return 200, {"data": {"keys": [f"person-{n}" for n in range(first, last)]}}
    if url.path == "/v2/made":
        return 200, {"people": options.says}
    if url.path == "/v2/stickers":
        first = int(query["first"])
        return 200, {"stickers": [f"S{first + n}" for n in range(int(query["n"]))]}
    if url.path == "/v2/names":
        first = int(query["first"])
        return 200, {"names": [f"card-{first + n}" for n in range(int(query["n"]))]}
    if url.path == "/v2/join":
        who = json.loads(body)
        if len(joined) >= options.places:
            return 409, {"what": "full"}
        joined[who["who"]] = who["friend"]
        return 201, {"card": "card-of-" + who["who"]}
    if url.path == "/v2/key":
        who = json.loads(body)["who"]
        return 200, {"key": "key-of-" + who}
    if url.path == "/v2/tokens":
        return 200, {"tokens": sorted(seen["tokens"])}
    if url.path == "/v2/joined":
        return 200, {"joined": [f"{who} by {friend}" for who, friend in joined.items()]}
    if url.path == "/state":
        counts = {**seen, "tokens": len(seen["tokens"]), "stamps": len(used), "keys": len(keys)}
        return 200, {"counts": [f"{name}={count}" for name, count in counts.items()]}
    return 404, {"what": path}


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.bytes = transport, b""

    def data_received(self, data):
        self.bytes += data
        while b"\r\n\r\n" in self.bytes:
            head, _, rest = self.bytes.partition(b"\r\n\r\n")
            lines = head.decode().split("\r\n")
            method, path, _ = lines[0].split(" ")
            headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}
            length = int(headers.get("content-length", 0))
            if len(rest) < length:
                return
            self.bytes = rest[length:]
            if path == "/events":
                self.transport.write(
                    b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n"
                    b"Transfer-Encoding: chunked\r\n\r\n")
                self.tell(0)
                continue
            result = answer(method, path, headers, rest[:length])
            if seen["attempts"] > options.hang_after and method == "PUT":
                continue
            if options.slow:
                asyncio.get_running_loop().call_later(options.slow / 1e3, self.reply, result)
            else:
                self.reply(result)

    def tell(self, number):
        """An event every 50 ms, in two chunks; the twentieth breaks the stream off."""
        if self.transport.is_closing():
            return
        if number == 20:
            return self.transport.abort()
        for part in (b"data: %d\n" % number, b"\n"):
            self.transport.write(b"%x\r\n%s\r\n" % (len(part), part))
        asyncio.get_running_loop().call_later(0.05, self.tell, number + 1)

    def reply(self, result):
        if result is None:
            if options.reset:
                self.transport.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                # Once the system has acknowledged the request, which may take it 40 ms.
                asyncio.get_running_loop().call_later(0.1, self.transport.abort)
                return
            self.transport.abort()
            return
        status, value = result
        body = json.dumps(value).encode()
        self.transport.write(
            b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % (status, len(body)) + body)
        if options.close_idle:
            self.transport.close()


async def main():
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate)
    server = await asyncio.get_running_loop().create_server(
        Connection, "127.0.0.1", options.port, backlog=4096, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
