import Foundation
import TestSupport
import Testing

@testable import BlakJaks
@testable import Service

/// What a client gets that speaks to the service byte by byte.
@Suite("Answers on the wire", .timeLimit(.minutes(5)))
struct RawAnswerTests {
  @Test("A client that asks whether to send a body is told to")
  func asksToGoOn() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let write = RequestWriter(token: try await served.join("ann"))
    let body = "{\"code\": \"\(try await served.codes(1)[0])\"}"
    let port = served.port
    let answers = try await blocking {
      let socket = try RawSocket(port: port)
      // Twice, as a connection that is kept has nothing left of the first time.
      return [body, body].map { body in
        let head = write.text(
          "POST", "/scans/submit",
          more: ["Expect: 100-Continue", "Content-Length: \(body.utf8.count)"])
        socket.send(Array(head.utf8))
        let first = socket.status()
        socket.send(Array(body.utf8))
        return [first, socket.status()]
      }
    }
    #expect(answers == [[100, 200], [100, 200]])
  }

  @Test("A client of HTTP/1.0, and one that owes nothing, is not told to go on")
  func doesNotAsk() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let port = served.port
    let answers = try await blocking {
      let old = try RawSocket(port: port)
      old.send(Array("GET /healthz HTTP/1.0\r\nExpect: 100-continue\r\n\r\n".utf8))
      let plain = try RawSocket(port: port)
      plain.send(Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      // A client of HTTP/1.0 reads to the end of the connection; the other one goes on.
      let first = [old.status(), plain.status(), old.status()]
      plain.send(Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      let kept = try RawSocket(port: port)
      let again = "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
      kept.send(Array(again.utf8))
      let one = kept.status()
      #expect(kept.head.lowercased().contains("connection: keep-alive"), "\(kept.head)")
      kept.send(Array(again.utf8))
      return first + [plain.status(), one, kept.status()]
    }
    #expect(answers == [200, 200, nil, 200, 200, 200])
  }

  @Test("Answers to requests in one piece each say what is so for their own")
  func pipelined() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let port = served.port
    let heads = try await blocking {
      let (old, new) = (
        "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      let socket = try RawSocket(port: port)
      socket.send(Array((old + new + old).utf8))
      return (0..<3).map { _ in
        socket.status() == 200 ? socket.head.lowercased().contains("connection: keep-alive") : nil
      }
    }
    #expect(heads == [true, false, true])
  }

  @Test(
    "What is no HTTP is refused with the reason",
    arguments: [
      ("GET /healthz HTTP/1.1\r\n\r\n", "needs one Host header"),
      ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "needs one Host header"),
      ("GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", "a header is not written as HTTP"),
      ("HELLO\r\n\r\n", "the first line is not METHOD PATH HTTP/1.1"),
      ("GET /healthz\r\n\r\n", "HTTP/1.1"),
      (
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\n",
        "the headers are more than a request may have"
      ),
      (
        "POST /scans/submit HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "Content-Length has to be one whole number"
      ),
    ])
  func refusals(text: String, reason: String) async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let port = served.port
    let (status, body, more) = try await blocking {
      let socket = try RawSocket(port: port)
      socket.send(Array(text.utf8))
      let status = socket.status()
      return (status, socket.body, socket.status())
    }
    #expect(status == 400)
    #expect(more == nil, "the connection is closed")
    let problem = try #require(
      JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    #expect(problem["status"] as? Int == 400)
    #expect((problem["detail"] as? String)?.contains(reason) == true, "\(problem)")
    #expect(try await served.ask("GET", "/healthz").status == 200)
  }
}
