internal import Foundation

/// Sockets on 127.0.0.1 of a test's own.
package enum Loopback {
  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func error() -> POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }

  /// A socket that listens at a free port.
  ///
  /// - Parameters:
  ///   - waiting: Connections that the system takes before somebody does.
  ///   - receiveBytes: Of the buffer for what comes; nil for the system's.
  ///   - blocks: Whether taking a connection waits for one.
  /// - Throws: The system's error.
  package static func listen(
    waiting: Int32 = 8, receiveBytes: Int32? = nil, blocks: Bool = true
  ) throws -> (descriptor: Int32, port: UInt16) {
    let kind = Int32(SOCK_STREAM.rawValue) | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw error() }
    if var receiveBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, 4) }
    var address = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Foundation.listen(descriptor, waiting) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      defer { close(descriptor) }
      throw error()
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Connects a socket to a port.
  ///
  /// - Throws: The system's error where nobody takes the connection.
  package static func connect(_ descriptor: Int32, to port: UInt16) throws {
    var address = address(port)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw error() }
  }

  /// Ends a connection at once, without a goodbye (RST), and closes its descriptor.
  package static func reset(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }
}
