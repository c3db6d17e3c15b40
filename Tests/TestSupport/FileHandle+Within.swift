package import Foundation

/// Somebody said nothing for too long.
package struct NothingSaid: Error, CustomStringConvertible {
  package let description: String

  /// - Parameter description: Who, and for how long.
  package init(_ description: String) { self.description = description }
}

extension FileHandle {
  /// What comes next of a pipe; nothing where its other end was closed.
  ///
  /// - Parameters:
  ///   - seconds: For how long it waits.
  ///   - what: Of whom it is, for the message.
  /// - Throws: `NothingSaid` where nothing comes in that time.
  package func available(within seconds: Int, of what: String) throws -> Data {
    var watched = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    let until = ContinuousClock.now + .seconds(seconds)
    var ready: Int32
    // A signal may end a wait early.
    repeat { ready = poll(&watched, 1, 100) } while ready <= 0 && ContinuousClock.now < until
    guard ready > 0 else {
      throw NothingSaid("\(what) has said nothing for \(seconds) seconds")
    }
    return availableData
  }
}
