import Foundation
import TestSupport

/// A connection to a service on loopback that sends whatever bytes it is told to, and blocks.
final class RawSocket {
  private let descriptor: Int32
  private var received: [UInt8] = []
  private(set) var isClosed = false
  /// Of the last answer whose status was read.
  private(set) var body: [UInt8] = []

  /// - Parameter receiveBytes: Of the buffer for what comes; nil for the system's.
  /// - Throws: The system's error where nobody takes the connection.
  init(port: Int, timeoutSeconds: Int = 10, receiveBytes: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, socklen_t(4))
    }
    do {
      try Loopback.connect(descriptor, to: UInt16(port))
    } catch {
      close(descriptor)
      isGone = true
      throw error
    }
  }

  deinit { if !isGone { close(descriptor) } }

  private var isGone = false

  /// Sends bytes; false where the other side has closed.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends a byte now and then, without reading, until the other side refuses it.
  ///
  /// - Returns: After how many seconds; nil where that is more than `most`.
  func secondsUntilReset(most: Double) -> Double? {
    let began = ContinuousClock.now
    while ContinuousClock.now < began + .seconds(most) {
      var byte: UInt8 = 0x47
      let count = Foundation.send(
        descriptor, &byte, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if count < 0, errno == EPIPE || errno == ECONNRESET {
        return (ContinuousClock.now - began) / .seconds(1)
      }
      usleep(50_000)
    }
    return nil
  }

  /// Says that nothing more is sent.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends the connection at once, without a goodbye (RST).
  func reset() {
    Loopback.reset(descriptor)
    isGone = true
  }

  /// Of the answer that was read last.
  private(set) var head = ""

  /// The next answer's status; nil where the other side closes, or says nothing in time.
  func status() -> Int? {
    while true {
      if let end = Self.place(of: Array("\r\n\r\n".utf8), in: received) {
        let head = String(decoding: received[..<end], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        self.head = head
        let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? -1
        let length =
          lines.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        while received.count < end + 4 + length {
          guard receive() else { return nil }
        }
        body = Array(received[end + 4..<end + 4 + length])
        received.removeFirst(end + 4 + length)
        return status
      }
      guard receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count == 0 || (count < 0 && errno != EAGAIN) { isClosed = true }
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  private static func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= part.count else { return nil }
    return (0...bytes.count - part.count).first {
      bytes[$0] == part[0] && Array(bytes[$0..<$0 + part.count]) == part
    }
  }
}
