internal import Foundation

/// Where a command is to listen.
enum ListeningPlace {
  /// Tries an address before anything is made for what is to listen there.
  ///
  /// - Throws: `ExitStatus.ioFailed`, after a message.
  static func check(_ host: String, _ port: Int) throws {
    guard let problem = problem(host, port) else { return }
    complain("pitboss: cannot serve at \(host):\(port): \(problem)")
    throw ExitStatus.ioFailed
  }

  /// Why nobody can listen there; nil where one can.
  static func problem(_ host: String, _ port: Int) -> String? {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &found)
    guard failure == 0, let address = found else {
      return gai_strerror(failure).map { String(cString: $0) } ?? "the address is not known"
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(
      address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    // As a server does, so that connections of one that has just ended do not count.
    var isReused: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) != 0 else {
      return nil
    }
    return errno == EADDRINUSE
      ? "the port is in use already; give another one with --port"
      : String(cString: strerror(errno))
  }
}
