// Goal: what a service sends is read as it was meant, however it is cut into pieces, and nothing that
// is no HTTP is taken for it.
// Method: tables by hand; each response at every cut; JSON pointers against Foundation's parser on
// random documents.
import Foundation
import LoadTest
import Testing

/// SplitMix64, so that a failure comes again.
private struct Mixed: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

@Suite struct WireTests {
  private func parse(_ text: String, isClosed: Bool = false) -> ResponseParser.Result {
    Array(text.utf8).withUnsafeBytes { ResponseParser.parse($0, isClosed: isClosed) }
  }

  private func body(_ text: String, isClosed: Bool = false) -> String? {
    Array(text.utf8).withUnsafeBytes {
      guard case .complete(let head) = ResponseParser.parse($0, isClosed: isClosed) else {
        return nil
      }
      return String(decoding: ResponseParser.body(of: head, in: $0), as: UTF8.self)
    }
  }

  @Test("Bodies by length, by chunks, to the connection's end, and none")
  func bodies() {
    #expect(body("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") == "hello")
    #expect(body("HTTP/1.1 200 OK\r\ncontent-LENGTH:  0 \r\n\r\n") == "")
    #expect(
      body(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=1\r\n world\r\n0\r\n\r\n"
      )
        == "hello world")
    #expect(
      body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nTrailer: 1\r\n\r\n")
        == "a")
    #expect(body("HTTP/1.0 200 OK\r\n\r\nto the end", isClosed: true) == "to the end")
    #expect(body("HTTP/1.1 204 No Content\r\n\r\n") == "")
    #expect(
      body("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")
        == "ok")
  }

  @Test("A head is read as the grammar of HTTP has it")
  func heads() throws {
    func closes(_ line: String) throws -> Bool {
      let answer = parse("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length:\t2\t\r\n\r\nok")
      guard case .complete(let head) = answer else { throw Unread(line: line) }
      return head.closes
    }
    for line in [
      "Connection: close", "connection:Close", "Connection: foo, close", "Connection: ,\tCLOSE ,x",
      "Connection: Upgrade ,close\t", "Connection: keep-alive\r\nConnection: close",
    ] {
      #expect(try closes(line), "\(line)")
    }
    for line in [
      "Connection: closed", "Connection: not-close", "Connection: keep-alive", "X: close",
    ] {
      #expect(try !closes(line), "\(line)")
    }
    // Zeros in front of a chunk's size are as many as somebody likes.
    #expect(
      body(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n000000000002\r\nok\r\n00\r\n\r\n")
        == "ok")
    #expect(
      parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\nok") == .invalid)
  }

  /// A response that was not read.
  private struct Unread: Error {
    var line: String
  }

  @Test("Every cut of a response is incomplete, and the whole is complete")
  func cuts() {
    let texts = [
      "HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
      "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
    ]
    for text in texts {
      for count in 0..<text.utf8.count {
        #expect(parse(String(decoding: text.utf8.prefix(count), as: UTF8.self)) == .incomplete)
      }
      guard case .complete(let head) = parse(text) else {
        Issue.record("not complete: \(text)")
        continue
      }
      #expect(head.length == text.utf8.count)
    }
    guard case .complete(let head) = parse(texts[0]) else {
      Issue.record("not complete: \(texts[0])")
      return
    }
    #expect(head.status == 429 && head.retryAfter == 7 && head.closes && !head.isChunked)
  }

  @Test(
    "What is no response of HTTP/1.1 is refused",
    arguments: [
      "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 xyz OK\r\n\r\n",
      "HTTP/1.1 99 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFF\r\n",
    ])
  func invalid(_ text: String) { #expect(parse(text) == .invalid) }

  @Test("An answer that ends early is no answer")
  func early() {
    #expect(parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", isClosed: true) == .invalid)
    #expect(parse("HTTP/1.1 200", isClosed: true) == .invalid)
    #expect(parse(String(repeating: "x", count: 70_000)) == .invalid)
  }

  /// What a parser says that is given so many bytes more each time.
  private func parse(_ bytes: [UInt8], by size: Int) -> ResponseParser.Result {
    bytes.withUnsafeBytes { bytes in
      var parser = ResponseParser()
      for end in stride(from: size, to: bytes.count, by: size) {
        let result = parser.parse(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        if result != .incomplete { return result }
      }
      return parser.parse(bytes)
    }
  }

  @Test("A response in pieces of any size is what it is as a whole, well-formed or not")
  func pieces() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let early = "HTTP/1.1 103 Early\r\nLink: x\r\n\r\n"
    for text in [
      "HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 3\r\n\r\nabc",
      chunked + "A;x=1\r\n0123456789\r\n1\r\na\r\n0\r\nOne: 1\r\nTwo: 2\r\n\r\n",
      early + early + chunked + "0\r\n\r\n", chunked + "5\r\nhello\r\nzz\r\n",
      "HTTP/1.1 204 No Content\r\n\r\n", "SSH-2.0-OpenSSH\r\n\r\n",
      chunked + String(repeating: "1", count: 70_000) + "\r\n",
      "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000) + "\r\n\r\n",
    ] {
      let bytes = Array(text.utf8)
      let whole = parse(text)
      #expect(whole != .incomplete)
      for size in [1, 2, 3, 5, 7, 64, 4_096] {
        #expect(parse(bytes, by: size) == whole, "\(text.prefix(80)) by \(size)")
      }
    }
  }

  @Test("A long response costs no more where it comes byte by byte", .timeLimit(.minutes(1)))
  func manyPieces() {
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      + String(repeating: "1\r\na\r\n", count: 40_000) + "0\r\n\r\n"
    guard case .complete(let head) = parse(Array(text.utf8), by: 1) else {
      Issue.record("not complete")
      return
    }
    #expect(head.length == text.utf8.count)
  }

  @Test("Many interim responses cost no more than their bytes, and have an end")
  func interim() {
    let one = "HTTP/1.1 100 \r\n\r\n"
    let many = String(repeating: one, count: 3_800)
    #expect(parse(many) == .incomplete)
    #expect(parse(many, isClosed: true) == .invalid)
    #expect(body(many + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") == "ok")
    #expect(parse(many + many) == .invalid)
  }

  // MARK: - JSON

  private func text(_ pointer: String, _ json: String) -> String? {
    guard let parts = JSONScan.parts(of: pointer) else { return nil }
    return Array(json.utf8).withUnsafeBytes { JSONScan.text(at: parts, in: $0) }
  }

  @Test("Values at pointers, escapes and all")
  func pointers() {
    let json =
      #"{"a": [1, {"b/c": "x\"y", "d~": null}, [true]], "e": "\u00e9\n\ud83d\ude00", "n": -1.5e3}"#
    #expect(text("/a/0", json) == "1")
    #expect(text("/a/1/b~1c", json) == "x\"y")
    #expect(text("/a/1/d~0", json) == "null")
    #expect(text("/a/2/0", json) == "true")
    #expect(text("/e", json) == "é\n😀")
    #expect(text("/n", json) == "-1.5e3")
    for pointer in ["/x", "/a/3", "/a/-1", "/a/b", "/n/0", "a"] {
      #expect(text(pointer, json) == nil)
    }
    for broken in ["", "{", "{\"a\"", "{\"a\":", "[1", "{\"a\":[}", "\u{0}"] {
      #expect(text("/a/0", broken) == nil)
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(text("/0/0", deep) != "1")
  }

  @Test("Pointers find what Foundation finds in random documents")
  func random() throws {
    var generator = Mixed(state: 7)
    func value(_ depth: Int) -> Any {
      switch Int.random(in: 0..<(depth > 3 ? 3 : 5), using: &generator) {
      case 0: return Int.random(in: -1_000...1_000, using: &generator)
      case 1:
        return ["a", "\"", "\\", "é", "line\n", "}", "]", ",", ""].randomElement(using: &generator)
          ?? ""
      case 2: return Bool.random(using: &generator)
      case 3: return (0..<Int.random(in: 0..<4, using: &generator)).map { _ in value(depth + 1) }
      default:
        var members: [String: Any] = [:]
        for name in ["a", "b/c", "d~e", ""] where Bool.random(using: &generator) {
          members[name] = value(depth + 1)
        }
        return members
      }
    }
    func walk(_ value: Any, _ pointer: String, _ bytes: [UInt8]) {
      let parts = JSONScan.parts(of: pointer) ?? []
      let found = bytes.withUnsafeBytes { JSONScan.text(at: parts, in: $0) }
      switch value {
      case let text as String: #expect(found == text, "\(pointer)")
      case let list as [Any]:
        for (place, item) in list.enumerated() { walk(item, "\(pointer)/\(place)", bytes) }
      case let members as [String: Any]:
        for (name, item) in members {
          let escaped = name.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(
            of: "/", with: "~1")
          walk(item, "\(pointer)/\(escaped)", bytes)
        }
      default: #expect(found != nil)
      }
    }
    for _ in 0..<300 {
      let document: [String: Any] = ["root": value(0), "more": value(0)]
      let data = try JSONSerialization.data(withJSONObject: document)
      walk(document, "", Array(data))
    }
  }
}
