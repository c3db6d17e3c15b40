// Goal: who watches counts each event once, whatever ends its lines and wherever it is divided.
// Method: the same events with each end of line, whole and in chunks of each size, in pieces of each size.
import Testing

@testable import LoadTest

@Suite struct EventStreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

  /// The events that are counted in a body that comes in pieces of a size.
  private func count(_ head: String, _ body: [UInt8], by size: Int) -> EventStream {
    var stream = EventStream(head: head.utf8)
    for start in stride(from: 0, to: body.count, by: size) {
      stream.take(body[start..<min(start + size, body.count)])
    }
    return stream
  }

  private func chunked(_ body: [UInt8], by size: Int) -> [UInt8] {
    stride(from: 0, to: body.count, by: size).reduce(into: []) { bytes, start in
      let part = body[start..<min(start + size, body.count)]
      bytes += Array("\(String(part.count, radix: 16));x=1\r\n".utf8) + part + Array("\r\n".utf8)
    }
  }

  @Test("Lines may end with LF, CRLF or CR", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) {
    // Empty lines before and between events end nothing; the last event has not ended.
    let lines = [
      "", "", "data: 1", "", ": a comment", "event: x", "data: 2", "data: 2", "", "", "data: 3",
      "", "data: 4",
    ]
    let body = Array((lines.joined(separator: end) + end).utf8)
    for size in 1...body.count {
      #expect(count(Self.head, body, by: size).count == 3)
      for chunk in [1, 2, 3, 7, 16, 1_000] {
        let stream = count(
          Self.head + "transfer-ENCODING: chunked\r\n", chunked(body, by: chunk), by: size)
        #expect(stream.count == 3 && !stream.isOver)
      }
    }
  }

  @Test(
    "Only lines with the field 'data' make an event",
    arguments: [
      (": keep-alive\n\n:\n\n", 0), ("event: tick\nid: 7\n\n", 0), ("retry: 1000\n\n", 0),
      ("database: 1\n\ndat\n\n data: 1\n\n", 0), ("data\n\ndata:\n\n", 2),
      ("id: 7\ndata: 1\nevent: x\n\n: keep-alive\n\n", 1), ("data: 1\n:\n\n", 1),
    ])
  func fields(_ text: String, _ events: Int) {
    let body = Array(text.utf8)
    for size in 1...body.count { #expect(count(Self.head, body, by: size).count == events) }
  }

  @Test("The last chunk ends a stream, and an absurd size ends nothing else")
  func ends() {
    let head = Self.head + "Transfer-Encoding: chunked\r\n"
    let body = Array("9\r\ndata: 1\n\n\r\n0\r\n\r\n".utf8)
    let stream = count(head, body, by: 1)
    #expect(stream.count == 1 && stream.isOver)
    let absurd = Array("FFFFFFFFFFFFFFFFFFFFFFFF\r\ndata: 1\n\n".utf8)
    #expect(count(head, absurd, by: 3).count == 1)
  }
}
