internal import Foundation

/// Lines of a file or pipe, each without its end.
package struct LineReader: ~Copyable {
  private let file: Int32
  /// Bytes of a line, at most.
  var limit: Int
  /// Whether a line was too long, after which there is none.
  package private(set) var wasTooLong = false
  private var bytes: [UInt8] = []
  /// Where the next line begins, and up to where no end of it was found.
  private var start = 0
  private var searched = 0
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Reads from a file's descriptor, which stays open and is the caller's.
  ///
  /// - Parameter limit: Bytes of a line, at most.
  package init(_ file: Int32, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// The next line; nil at the end of the file, where a line without an end is left out, at an error,
  /// and after a line that is too long.
  package mutating func next() -> ArraySlice<UInt8>? {
    while true {
      // Lines are long, and this is by far the fastest search.
      let found = bytes.withUnsafeBytes { all -> Int? in
        guard searched < all.count, let base = all.baseAddress,
          let place = memchr(base + searched, 0x0A, all.count - searched)
        else { return nil }
        return UnsafeRawPointer(place) - base
      }
      if let end = found {
        defer {
          start = end + 1
          searched = start
        }
        return bytes[start..<end]
      }
      bytes.removeFirst(start)
      start = 0
      searched = bytes.count
      wasTooLong = bytes.count > limit
      if wasTooLong { return nil }
      let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }
}

/// Writes bytes to a file or pipe.
///
/// - Returns: Whether all of them were taken.
func writeAll(_ bytes: Data, to file: Int32) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let wrote = write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if wrote < 0, errno == EINTR { continue }
      guard wrote > 0 else { return false }
      rest = rest.dropFirst(wrote)
    }
    return true
  }
}
