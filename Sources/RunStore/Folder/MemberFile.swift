internal import Documents
internal import Foundation
package import RewardModel

/// The members of a run on their way to `members.csv`: rows go to a file without a name, so that
/// memory does not grow with them and nothing is left of a run that is killed.
package final class MemberFile<Member> {
  /// Bytes that wait before they are written.
  private let blockSize = 1 << 18
  private let columns: [Column<Member>]
  private let forms: [CSVForm]
  private let folder: String
  private var descriptor: Int32
  private var csv: CSVText
  /// The system's error number, 0 so far.
  private var code: Int32 = 0

  /// Opens the nameless file on the disk that a run folder will be on.
  ///
  /// - Throws: `RunStoreError` when no file can be made there.
  package init(_ columns: [Column<Member>], for folder: String) throws(RunStoreError) {
    self.columns = columns
    forms = columns.map { CSVForm($0.shape.kind) }
    self.folder = folder
    csv = CSVText(header: columns.map(\.shape.exportedName).joined(separator: ","))
    var place = URL(fileURLWithPath: folder).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
      place = place.deletingLastPathComponent()
    }
    var template = Array(place.appendingPathComponent(".pitboss-members-XXXXXX").path.utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw FolderWriter.failure("write \(RunFolder.membersName)", path: folder, code: errno)
    }
    unlink(template)
  }

  deinit { close(descriptor) }

  /// Whether something could not be written; `contents` says what.
  package var hasFailed: Bool { code != 0 }

  /// Adds a member.
  package func add(_ member: Member) {
    guard code == 0 else { return }
    for place in columns.indices { csv.add(columns[place].value(member), forms[place]) }
    csv.endLine()
    if csv.count >= blockSize { code = csv.take { FolderWriter.put($0, to: descriptor) } }
  }

  /// The file for the run folder, read from the disk as it is written there.
  ///
  /// - Throws: `RunStoreError` with what could not be written.
  package func contents() throws(RunStoreError) -> RunFolder.ExtraFile {
    if code == 0 { code = csv.take { FolderWriter.put($0, to: descriptor) } }
    let length = lseek(descriptor, 0, SEEK_END)
    if code == 0, length > 0,
      let base = mmap(nil, Int(length), PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED
    {
      let contents = Data(bytesNoCopy: base, count: Int(length), deallocator: .unmap)
      return RunFolder.ExtraFile(name: RunFolder.membersName, contents: contents)
    }
    throw FolderWriter.failure(
      "write \(RunFolder.membersName)", path: folder, code: code == 0 ? errno : code)
  }
}
