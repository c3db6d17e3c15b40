internal import Crypto
internal import Foundation

/// A file of a folder in the making that one thread writes, block by block, with its digest.
///
/// Failures are kept and reported at the end, so that callers need not check each block.
struct FolderFile: ~Copyable {
  private let name: String
  private let writer: FolderWriter
  /// Negative once it is closed.
  private var descriptor: Int32
  private var hash = SHA256()
  private var count: Int64 = 0
  /// The system's error number, 0 so far.
  private var code: Int32 = 0

  /// Makes the file.
  ///
  /// - Throws: `RunStoreError` when it cannot be made.
  init(_ name: String, in writer: FolderWriter) throws(RunStoreError) {
    self.name = name
    self.writer = writer
    descriptor = Foundation.open(
      "\(writer.partial)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw writer.failure("write \(name)", code: errno) }
  }

  deinit { if descriptor >= 0 { _ = Foundation.close(descriptor) } }

  /// Appends bytes without adding them to the digest.
  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard code == 0 else { return }
    code = FolderWriter.put(bytes, to: descriptor)
  }

  /// Appends bytes.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    put(bytes)
    hash.update(bufferPointer: bytes)
    count += Int64(bytes.count)
  }

  /// Closes the file once it is flushed to the device, which `publish` waits for.
  ///
  /// - Throws: What failed first.
  consuming func close() throws(RunStoreError) {
    guard code == 0 else { throw writer.failure("write \(name)", code: code) }
    writer.flushes.add(descriptor, "write \(name)")
    descriptor = -1
  }

  /// The same.
  ///
  /// - Returns: What the summary says of the file.
  consuming func finish() throws(RunStoreError) -> RunSummary.File {
    let file = RunSummary.File(
      name: name, bytes: count, sha256: RunFingerprint.hexadecimal(hash.finalize()))
    try close()
    return file
  }
}
