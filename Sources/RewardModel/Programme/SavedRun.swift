package import Foundation
package import Quantities

/// All that changes in a simulation, as it is after one of its windows: what follows from settings
/// and seed alone is not in it.
///
/// It is bytes of one build of the program, and of no use to another.
package struct SavedRun: Sendable {
  /// The end of the window.
  package var instant: Instant
  /// In the order in which they were saved.
  package var parts: [Data]

  /// A saved run; see the properties.
  package init(instant: Instant, parts: [Data]) {
    self.instant = instant
    self.parts = parts
  }
}

/// A part of a simulation that saves what changes in it: its house, or one of its cells.
package protocol SavablePart {
  /// What changes from window to window, after one of them.
  ///
  /// - Throws: Errors of the encoder.
  func saved() throws -> Data

  /// Goes on where a part of the same input was saved.
  ///
  /// - Parameter instant: The end of the window after which it was saved.
  /// - Throws: `SavedRunError`, or errors of the decoder; the part is then of no use.
  mutating func restore(_ data: Data, at instant: Instant) throws
}

extension SavedRun {
  /// A saved run of the parts that somebody hands out one after the other.
  ///
  /// - Throws: What `save` throws.
  package init(instant: Instant, _ save: ((Data) throws -> Void) throws -> Void) rethrows {
    var parts: [Data] = []
    try save { parts.append($0) }
    self.init(instant: instant, parts: parts)
  }

  /// Hands out a simulation: its house, then each cell.
  ///
  /// - Throws: Errors of the encoder, and what `part` throws.
  /// - Complexity: O(members + days).
  package static func save<House: SavablePart, Cell: SavablePart>(
    _ house: House, _ cells: UnsafeMutableBufferPointer<Cell>, _ part: (Data) throws -> Void
  ) throws {
    try part(try house.saved())
    for index in cells.indices { try part(try cells[index].saved()) }
  }

  /// Restores a simulation of the same shape.
  ///
  /// - Parameter calendar: The run's; it was saved before the end of that.
  /// - Throws: `SavedRunError`, or errors of the decoder; the simulation is then of no use.
  package func restore<House: SavablePart, Cell: SavablePart>(
    _ house: inout House, _ cells: UnsafeMutableBufferPointer<Cell>, in calendar: ProgrammeCalendar
  ) throws {
    guard parts.count == cells.count + 1, instant >= calendar.start, instant < calendar.end
    else { throw SavedRunError.otherShape }
    try house.restore(parts[0], at: instant)
    for index in cells.indices { try cells[index].restore(parts[index + 1], at: instant) }
  }
}

/// Why saved bytes are not what a run saves.
package enum SavedRunError: Error, Equatable, CustomStringConvertible {
  /// There are more or fewer parts than the run has, a part is longer or shorter, or it is of a time that
  /// the run has not.
  case otherShape

  package var description: String { "the saved state is not of this scenario" }
}

/// Where a simulation saves its state while it goes on, and from where it goes on.
package struct RunCheckpoints {
  /// Local days from one saved state to the next, 1 or more.
  package var days: Int
  /// Receives the state after a window: at local midnights, and where somebody asked to stop. The
  /// second argument hands out the parts one after the other, so that not all need to be in memory.
  package var save: (Instant, _ parts: ((Data) throws -> Void) throws -> Void) throws -> Void
  /// Where the run goes on; nil for its beginning.
  package var resumed: SavedRun?

  /// Checkpoints of one run; see the properties.
  package init(
    days: Int, resumed: SavedRun? = nil,
    save: @escaping (Instant, _ parts: ((Data) throws -> Void) throws -> Void) throws -> Void
  ) {
    self.days = days
    self.resumed = resumed
    self.save = save
  }

  /// The first local midnight after an instant at which the state is saved; nil where none is left
  /// before the run's end.
  package func next(after instant: Instant, _ calendar: ProgrammeCalendar) -> Instant? {
    stride(from: days, to: calendar.dayCount, by: days).lazy.map { calendar.dayStarts[$0] }
      .first { $0 > instant }
  }
}

/// Writes one part of a saved run: values, and rows as the bytes that they are in memory.
package struct StateWriter {
  /// What was written so far.
  package private(set) var data = Data()

  /// Nothing is written yet.
  package init() {}

  /// Writes a value.
  ///
  /// - Throws: Errors of the encoder.
  package mutating func add(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let bytes = try encoder.encode(value)
    add(count: bytes.count)
    data.append(bytes)
  }

  /// Writes rows.
  package mutating func add<Row: BitwiseCopyable>(rows: UnsafeBufferPointer<Row>) {
    let bytes = UnsafeRawBufferPointer(rows)
    add(count: bytes.count)
    data.append(contentsOf: bytes)
  }

  /// Writes rows.
  package mutating func add<Row: BitwiseCopyable>(rows: [Row]) {
    rows.withUnsafeBufferPointer { add(rows: $0) }
  }

  private mutating func add(count: Int) {
    withUnsafeBytes(of: UInt64(count).littleEndian) { data.append(contentsOf: $0) }
  }
}

/// Reads what a `StateWriter` wrote, in the same order.
package struct StateReader {
  private let data: Data
  private var offset: Data.Index

  /// Begins at the first byte.
  package init(_ data: Data) {
    self.data = data
    offset = data.startIndex
  }

  /// The next value.
  ///
  /// - Throws: `SavedRunError`, or errors of the decoder.
  package mutating func next<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Value.self, from: try block())
  }

  /// The next rows, however many there are.
  ///
  /// - Throws: `SavedRunError`.
  package mutating func rows<Row: BitwiseCopyable>(
    of row: Row.Type = Row.self
  ) throws -> [Row] {
    let bytes = try block()
    guard bytes.count % MemoryLayout<Row>.stride == 0 else { throw SavedRunError.otherShape }
    return bytes.withUnsafeBytes { [Row](copying: $0) }
  }

  /// The next rows into those of a region, as many as it has.
  ///
  /// - Throws: `SavedRunError`; the region is then as it was.
  package mutating func fill<Row: BitwiseCopyable>(
    _ rows: UnsafeMutableBufferPointer<Row>
  ) throws {
    let bytes = try block()
    guard bytes.count == rows.count * MemoryLayout<Row>.stride else {
      throw SavedRunError.otherShape
    }
    bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rows).copyMemory(from: $0) }
  }

  private mutating func block() throws -> Data {
    guard data.endIndex - offset >= 8 else { throw SavedRunError.otherShape }
    let count = data[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    offset += 8
    guard count <= UInt64(data.endIndex - offset) else { throw SavedRunError.otherShape }
    defer { offset += Int(count) }
    return data[offset..<offset + Int(count)]
  }
}
