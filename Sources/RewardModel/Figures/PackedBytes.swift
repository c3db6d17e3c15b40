/// Values as bytes, one after another without names, for another process of the same build.
///
/// Numbers travel as they are in memory, so that each arrives bit by bit.
package struct PackedBytes: Sendable {
  /// What was written.
  package private(set) var bytes: [UInt8]
  private var next = 0

  /// The bytes end before what is read, or hold something else.
  package struct Broken: Error, CustomStringConvertible {
    package var description: String { "bytes that are no answer" }

    /// The reason of a reader that found too much.
    package init() {}
  }

  /// Nothing yet, or what somebody wrote.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Whether all was read.
  package var isAtEnd: Bool { next == bytes.count }

  /// Writes a number.
  package mutating func put<Number: BitwiseCopyable>(_ number: Number) {
    withUnsafeBytes(of: number) { bytes += $0 }
  }

  /// Writes numbers, their count first.
  package mutating func put<Number: BitwiseCopyable>(_ numbers: [Number]) {
    put(numbers.count)
    numbers.withUnsafeBytes { bytes += $0 }
  }

  /// Writes a text.
  package mutating func put(_ text: String) { put(Array(text.utf8)) }

  /// Writes a list, its count first.
  package mutating func put<Element>(
    _ list: [Element], _ each: (inout PackedBytes, Element) -> Void
  ) {
    put(list.count)
    for element in list { each(&self, element) }
  }

  /// Writes what may be missing.
  package mutating func put<Value>(
    optional value: Value?, _ write: (inout PackedBytes, Value) -> Void
  ) {
    put(UInt8(value == nil ? 0 : 1))
    if let value { write(&self, value) }
  }

  /// Writes numbers that may be missing.
  package mutating func put<Number: BitwiseCopyable>(optionals: [Number?]) {
    put(optionals) { $0.put(optional: $1) { $0.put($1) } }
  }

  /// Reads a number of a type all of whose bit patterns are numbers.
  ///
  /// - Throws: `Broken`.
  package mutating func take<Number: BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(Broken) -> Number {
    let size = MemoryLayout<Number>.size
    guard bytes.count - next >= size else { throw Broken() }
    defer { next += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: next, as: type) }
  }

  /// Reads numbers.
  ///
  /// - Throws: `Broken`.
  package mutating func take<Number: BitwiseCopyable>(
    list type: Number.Type = Number.self
  ) throws(Broken) -> [Number] {
    let count = try take(Int.self)
    let (size, isTooMuch) = count.multipliedReportingOverflow(by: MemoryLayout<Number>.stride)
    guard count >= 0, !isTooMuch, bytes.count - next >= size else { throw Broken() }
    defer { next += size }
    return bytes.withUnsafeBytes {
      [Number](copying: UnsafeRawBufferPointer(rebasing: $0[next..<next + size]))
    }
  }

  /// Reads a text.
  ///
  /// - Throws: `Broken`.
  package mutating func text() throws(Broken) -> String {
    String(decoding: try take(list: UInt8.self), as: UTF8.self)
  }

  /// Reads a list.
  ///
  /// - Throws: `Broken`.
  package mutating func list<Element>(
    _ each: (inout PackedBytes) throws(Broken) -> Element
  ) throws(Broken) -> [Element] {
    let count = try take(Int.self)
    // Every element has a byte at least.
    guard count >= 0, count <= bytes.count - next else { throw Broken() }
    var list: [Element] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try each(&self)) }
    return list
  }

  /// Reads what may be missing.
  ///
  /// - Throws: `Broken`.
  package mutating func optional<Value>(
    _ read: (inout PackedBytes) throws(Broken) -> Value
  ) throws(Broken) -> Value? {
    switch try take(UInt8.self) {
    case 0: return nil
    case 1: return try read(&self)
    default: throw Broken()
    }
  }

  /// Reads numbers that may be missing.
  ///
  /// - Throws: `Broken`.
  package mutating func optionals<Number: BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(Broken) -> [Number?] {
    try list { (bytes) throws(Broken) in
      try bytes.optional { (bytes) throws(Broken) in try bytes.take(type) }
    }
  }
}
