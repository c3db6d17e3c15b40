internal import Foundation
package import RewardModel

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

  /// Whether a folder holds a run that reached its end, as far as its summary says; a run whose
  /// summary cannot be read counts as complete.
  package static func holdsCompleteRun(_ path: String) -> Bool {
    struct State: Decodable { var interrupted: Bool }
    guard isRun(path) else { return false }
    guard let data = FileManager.default.contents(atPath: "\(path)/\(summaryName)"),
      let state = try? JSONDecoder().decode(State.self, from: data)
    else { return true }
    return !state.interrupted
  }

  /// Where an interrupted run goes whose place a complete one has: the first of `PATH-interrupted`,
  /// `PATH-interrupted-2` and so on that it may take and that holds no complete run.
  package static func interruptedPath(
    _ path: String, for programme: any RewardProgramme.Type
  ) -> String {
    replacement(own: files(of: programme)).interruptedPath(path, unless: holdsCompleteRun)
  }
}
