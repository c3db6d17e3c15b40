internal import Crypto
internal import Foundation
internal import Quantities
internal import RewardModel

/// One checkpoint on disk: what run it is of, where the run was, and its state.
///
/// The form: eight bytes that name it; blocks of a length in eight bytes, least significant first,
/// and as many bytes, the first a header as JSON, the others the parts of the state; then the
/// SHA-256 of all that. There is no state in the checkpoint of a run's beginning.
struct CheckpointFile {
  /// What comes before the state.
  struct Header: Codable, Equatable {
    var run: CheckpointedRun
    var instant: Instant
    /// Seconds that the run has taken so far.
    var wallSeconds: Double
  }

  private static let mark = Array("PBSSCKP1".utf8)

  var header: Header
  /// Nil at the run's beginning.
  var state: SavedRun?

  /// Writes one under another name, flushes it to the device and then gives it its name.
  ///
  /// - Parameter parts: Hands out the parts of the state one after the other.
  /// - Throws: `RunStoreError`, or what `parts` throws.
  static func write(
    _ header: Header, to folder: String, as name: String,
    _ parts: ((Data) throws -> Void) throws -> Void
  ) throws {
    let partial = "\(folder)/.\(name).partial"
    func failure(_ code: Int32) -> RunStoreError {
      FolderWriter.failure("write \(name)", path: folder, code: code)
    }
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
    var hash = SHA256()
    func put(_ data: Data) throws {
      hash.update(data: data)
      let code = FolderWriter.put(data, to: descriptor)
      guard code == 0 else { throw failure(code) }
    }
    func putBlock(_ data: Data) throws {
      try put(withUnsafeBytes(of: UInt64(data.count).littleEndian) { Data($0) })
      try put(data)
    }
    do {
      try put(Data(mark))
      try putBlock(try JSONEncoder().encode(header))
      try parts(putBlock)
      let code = FolderWriter.put(Data(hash.finalize()), to: descriptor)
      guard code == 0 else { throw failure(code) }
      guard fsync(descriptor) == 0 else { throw failure(errno) }
    } catch {
      _ = close(descriptor)
      unlink(partial)
      throw error
    }
    guard close(descriptor) == 0, rename(partial, "\(folder)/\(name)") == 0 else {
      throw failure(errno)
    }
    try FolderWriter.flush(folder, what: "write \(name)", target: folder)
  }

  /// Reads one back; nil where it is not whole.
  ///
  /// - Complexity: O(bytes); the state stays on the disk until it is looked at.
  init?(_ path: String) {
    guard
      let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.count >= Self.mark.count + 32, data.starts(with: Self.mark),
      SHA256.hash(data: data.dropLast(32)) == data.suffix(32)
    else { return nil }
    let end = data.endIndex - 32
    var offset = data.startIndex + Self.mark.count
    var blocks: [Data] = []
    while offset < end {
      guard end - offset >= 8 else { return nil }
      let count = data[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      offset += 8
      guard count <= UInt64(end - offset) else { return nil }
      blocks.append(data[offset..<offset + Int(count)])
      offset += Int(count)
    }
    guard let first = blocks.first,
      let header = try? JSONDecoder().decode(Header.self, from: first),
      CheckpointedRun.daysAllowed.contains(header.run.days)
    else { return nil }
    self.header = header
    if blocks.count > 1 {
      state = SavedRun(instant: header.instant, parts: Array(blocks.dropFirst()))
    }
  }
}
