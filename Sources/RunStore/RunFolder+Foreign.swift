internal import Foundation

extension RunFolder {
  /// Whether a folder holds a database that Pitboss has written, whole or not.
  package static func isRun(_ path: String) -> Bool { RunDatabase.isRun("\(path)/\(databaseName)") }

  /// Whether there is something readable at a path that is not a run: a file, a folder without
  /// `run.sqlite`, or one whose `run.sqlite` Pitboss did not write. A run that is damaged, cannot
  /// be read or does not exist is not foreign.
  package static func isForeign(_ path: String) -> Bool {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
    guard isFolder.boolValue else { return true }
    guard (try? files.contentsOfDirectory(atPath: path)) != nil else { return false }
    let database = "\(path)/\(databaseName)"
    guard files.fileExists(atPath: database) else { return true }
    return files.isReadableFile(atPath: database) && !RunDatabase.isRun(database)
  }
}
