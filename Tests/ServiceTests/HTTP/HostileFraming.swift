import Foundation

extension HostileRequest {
  private static func send(_ text: String) -> [Step] { [.send(Array(text.utf8))] }

  /// Messages that are not HTTP, or that two servers would read differently.
  static func framing(_ write: RequestWriter) -> [HostileRequest] {
    let scan = "/scans/submit"
    func headers(_ lines: String..., body: String = "") -> String {
      write.text("POST", scan, more: lines) + body
    }
    let texts: [(String, Int, String)] = [
      ("two equal lengths", 400, headers("Content-Length: 2", "Content-Length: 2", body: "{}")),
      ("two lengths", 400, headers("Content-Length: 2", "Content-Length: 3", body: "{}")),
      ("a length of two numbers", 400, headers("Content-Length: 2, 2", body: "{}")),
      ("a negative length", 400, headers("Content-Length: -2", body: "{}")),
      ("a signed length", 400, headers("Content-Length: +2", body: "{}")),
      ("a length in hex", 400, headers("Content-Length: 0x2", body: "{}")),
      (
        "a length beyond 64 bits", 400,
        headers("Content-Length: 99999999999999999999", body: "{}")
      ),
      ("a length of a terabyte", 413, headers("Content-Length: 1000000000000", body: "{}")),
      (
        "length and chunks", 400,
        headers("Content-Length: 5", "Transfer-Encoding: chunked", body: "0\r\n\r\n")
      ),
      (
        "chunks and length", 400,
        headers("Transfer-Encoding: chunked", "Content-Length: 5", body: "0\r\n\r\n")
      ),
      ("an unknown encoding", 400, headers("Transfer-Encoding: xchunked", body: "0\r\n\r\n")),
      (
        "an encoding after chunked", 400,
        headers("Transfer-Encoding: chunked, identity", body: "0\r\n\r\n")
      ),
      ("a chunk without a size", 400, headers("Transfer-Encoding: chunked", body: "\r\n{}\r\n")),
      ("a chunk size of letters", 400, headers("Transfer-Encoding: chunked", body: "zz\r\n{}")),
      (
        "a chunk size beyond 64 bits", 400,
        headers("Transfer-Encoding: chunked", body: "fffffffffffffffff\r\n{}")
      ),
      ("a negative chunk size", 400, headers("Transfer-Encoding: chunked", body: "-2\r\n{}")),
      (
        "a chunk longer than it says", 400,
        headers("Transfer-Encoding: chunked", body: "2\r\n{}{}\r\n0\r\n\r\n")
      ),
      (
        "chunks that are in order", 422,
        headers("Transfer-Encoding: chunked", body: "1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
      ),
      (
        "chunks of 70,000 bytes", 413,
        headers(
          "Transfer-Encoding: chunked",
          body: "11170\r\n\(String(repeating: " ", count: 0x11170))\r\n0\r\n\r\n")
      ),
      ("a space before a colon", 400, headers("Content-Length : 2", body: "{}")),
      ("a folded header", 400, headers("X-Long: a", " b", body: "")),
      ("a header without a name", 400, headers(": value")),
      ("a header with a NUL", 400, headers("X-Nul: a\0b")),
      ("a header of 9,000 bytes", 400, headers("X-Long: \(String(repeating: "a", count: 9_000))")),
      (
        "headers of 20,000 bytes", 400,
        write.text(
          "GET", "/healthz",
          more: (0..<40).map { "X-\($0): \(String(repeating: "a", count: 500))" })
      ),
      (
        "100 headers", 400,
        write.text("GET", "/healthz", more: (0..<100).map { "X-\($0): a" })
      ),
      (
        "a path of 9,000 bytes", 400,
        write.text("GET", "/" + String(repeating: "a", count: 9_000))
      ),
      ("HTTP/0.9", 400, "GET /healthz\r\n\r\n"), ("HTTP/3.7", 400, "GET / HTTP/3.7\r\n\r\n"),
      ("HTTP/2 without a word before", 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      ("HTTP/1.0", 200, "GET /healthz HTTP/1.0\r\n\r\n"),
      ("no host", 400, "GET /healthz HTTP/1.1\r\n\r\n"),
      ("two hosts", 400, "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
      ("lines that end with LF", 400, "GET /healthz HTTP/1.1\nHost: a\n\n"),
      ("empty lines before", 200, "\r\n\r\n" + write.text("GET", "/healthz")),
      (
        "an address of another server", 404,
        "GET http://example.com/secrets.json HTTP/1.1\r\nHost: a\r\n\r\n"
      ),
      (
        "another content type", 415,
        headers("Content-Type: text/xml", "Content-Length: 2", body: "{}")
      ),
      (
        "an unknown expectation", 422,
        headers("Expect: miracles", "Content-Length: 2", body: "{}")
      ),
      ("an upgrade to HTTP/2", 200, write.text("GET", "/healthz", more: ["Upgrade: h2c"])),
    ]
    return texts.map { HostileRequest($0.0, $0.1, $0.2) } + [
      HostileRequest(
        "the hello of TLS", 400,
        steps: [.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 300))]),
      HostileRequest(
        "noise", 400, steps: [.send((0..<512).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ 7) })]),
    ]
  }

  /// Clients that are slow, hasty or gone. A request may take a second here.
  static func timing(_ write: RequestWriter) -> [HostileRequest] {
    let health = write.text("GET", "/healthz")
    let body = write.text("POST", "/scans/submit", more: ["Content-Length: 50"])
    let chunks = write.text("POST", "/scans/submit", more: ["Transfer-Encoding: chunked"])
    let expect = write.text(
      "POST", "/scans/submit", more: ["Expect: 100-continue", "Content-Length: 2"])
    func drip(_ text: String) -> Step { .drip(Array(text.utf8), pause: 100) }
    func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    return [
      HostileRequest("a head of a byte at a time", 408, steps: [drip("GET /healthz HTTP/1.1\r\n")]),
      HostileRequest("half a head, then nothing", 408, steps: [send("GET /healthz HTT")]),
      HostileRequest(
        "a body of a byte at a time", 408,
        steps: [send(body), drip("{\"code\": \"ABCDEFGH\"}")]),
      HostileRequest("half a body, then nothing", 408, steps: [send(body + "{")]),
      HostileRequest(
        "chunks of a byte at a time", 408,
        steps: [send(chunks), drip(String(repeating: "1\r\n \r\n", count: 4))]),
      HostileRequest("a chunk size, then nothing", 408, steps: [send(chunks + "2")]),
      HostileRequest(
        "slow only the second time", 200, 408,
        steps: [send(health), .answer, send("GET /heal")]),
      HostileRequest("an expectation, then nothing", 100, 408, steps: [send(expect)]),
      HostileRequest(
        "an expectation, then the body", 100, 422,
        steps: [send(expect), .answer, send("{}")]),
      HostileRequest(
        "a second of nothing, then a request", 200, steps: [.wait(1_300), send(health)]),
      HostileRequest("three at once", 200, 200, 200, steps: [send(health + health + health)]),
      HostileRequest(
        "three at once, the second wrong", 200, 422, 200,
        steps: [send(health + write.post("/scans/submit", "{}") + health)]),
      HostileRequest(
        "one, then what is no HTTP", 200, 400, steps: [send(health + "\u{1}\u{2}\r\n\r\n")]),
      HostileRequest("a request, then no more", 200, steps: [send(health), .finishSending]),
      HostileRequest(
        "half a head, then no more", 400, steps: [send("GET /heal"), .finishSending]),
      HostileRequest("half a body, then no more", 400, steps: [send(body + "{"), .finishSending]),
      HostileRequest("nothing, then no more", steps: [.finishSending]),
      HostileRequest("half a body, then gone", steps: [send(body + "{"), .reset]),
      HostileRequest("a whole request, then gone", steps: [send(health), .reset]),
      HostileRequest(
        "a scan, then gone",
        steps: [send(write.post("/scans/submit", "{\"code\": \"A\"}")), .reset]),
    ]
  }
}
