// Goal: a connection that the service closes at the moment in which it is used again costs nothing where
// the request may come twice, and is an error where it may not.
// Method: a server of a few lines that answers one request on a connection, and closes it when the next
// one has come.
import Dispatch
import Foundation
import Testing

@testable import LoadTest

@Suite("Connections that are used again") struct ReusedConnectionTests {
  /// Listens on loopback; each connection has one answer, and some bytes of a second one.
  private final class Server: Sendable {
    let port: Int
    private let listener: Int32

    init(then second: String = "") throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      self.listener = listener
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, length) == 0 && listen(listener, 8) == 0
            && getsockname(listener, $0, &length) == 0
        }
      }
      try #require(isBound)
      port = Int(UInt16(bigEndian: address.sin_port))
      Thread {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
          for answer in ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", second] {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            guard recv(connection, &buffer, buffer.count, 0) > 0 else { break }
            let bytes = Array(answer.utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          }
          close(connection)
        }
      }.start()
    }

    deinit {
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
    }
  }

  /// What became of two requests on one connection, and how many connections that took.
  private func ask(
    _ server: Server, isRepeatable: Bool
  ) throws -> (statuses: [Int], errors: [LoadErrorKind], connects: Int) {
    let target = try TargetURL("http://127.0.0.1:\(server.port)", allowed: [])
    var client = try HTTPClient(target, limit: 1, timeout: 5_000_000_000)
    func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }
    var statuses: [Int] = []
    var errors: [LoadErrorKind] = []
    for tag in 0..<UInt32(2) {
      client.start(tag, at: now(), isRepeatable: isRepeatable) {
        $0.append(contentsOf: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      }
      while statuses.count + errors.count <= Int(tag) {
        client.step(100_000_000, now: now) { ended, end in
          #expect(ended == tag)
          switch end {
          case .answer(let status, _, _): statuses.append(status)
          case .failed(let kind): errors.append(kind)
          }
        }
      }
    }
    #expect(client.busy == 0)
    return (statuses, errors, client.connects)
  }

  @Test("A request that may come twice is sent again at once on a new connection")
  func repeated() throws {
    let found = try ask(try Server(), isRepeatable: true)
    #expect(found.statuses == [200, 200])
    #expect(found.errors == [])
    #expect(found.connects == 2)
  }

  @Test("A request that may not come twice has failed")
  func unrepeatable() throws {
    let found = try ask(try Server(), isRepeatable: false)
    #expect(found.statuses == [200])
    #expect(found.errors == [.closed])
    #expect(found.connects == 1)
  }

  @Test("An answer that has begun is not asked for again")
  func begun() throws {
    let found = try ask(try Server(then: "HTTP/1.1 2"), isRepeatable: true)
    #expect(found.statuses == [200])
    #expect(found.errors == [.closed])
    #expect(found.connects == 1)
  }
}
