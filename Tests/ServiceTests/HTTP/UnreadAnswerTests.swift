// Goal: a client that does not read cannot keep a service from stopping.
// Method: the program as a process of its own, and a connection with more answers than buffers hold. It is
// a wait, so that it may run beside other tests.
import Foundation
import TestSupport
import Testing

@Suite struct UnreadAnswerTests {
  @Test("A client that does not read does not keep a service from stopping")
  func unreadAtStop() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "stop-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (data, scenario) = (folder.appending(path: "data"), folder.appending(path: "stop.yaml"))
    try Data("name: stop\n".utf8).write(to: scenario)
    let service = try await blocking {
      try Unchecked(ServiceProcess(data, scenario: scenario))
    }.value
    let port = service.port
    let socket = try await blocking { Unchecked(try RawSocket.unread(port)) }
    try await Task.sleep(for: .seconds(1))
    // Other tests may have the processors meanwhile; without an end of its own it would go on for longer.
    #expect(try await service.stop(within: 35) == 0)
    withExtendedLifetime(socket) {}
  }
}

extension RawSocket {
  /// A connection with more answers than its buffers hold, which nobody reads.
  static func unread(_ port: Int) throws -> RawSocket {
    let socket = try RawSocket(port: port, receiveBytes: 4_096)
    let request = RequestWriter(token: "").text("GET", "/openapi.json")
    socket.send(Array(String(repeating: request, count: 300).utf8))
    return socket
  }
}
