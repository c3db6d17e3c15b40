internal import Foundation
internal import RewardModel
internal import Scenario

/// Where scenario files are found.
enum ScenarioPlaces {
  static let folder = "Scenarios"

  /// A path as given; a bare name that is not a file, folders aside, means one of `Scenarios/`.
  ///
  /// - Throws: `InputErrors` where nothing is there, but a file of almost that name is.
  static func resolve(_ path: String) throws(InputErrors) -> String {
    if path.isEmpty {
      let message = "the scenario's name is empty; give a file, or the name of one in \(folder)/"
      throw InputErrors(kind: .unreadable, [InputFinding(source: "pitboss", message: message)])
    }
    if let found = find(path) { return found }
    if !FileManager.default.fileExists(atPath: path), let meant = mistyped(path) {
      let message = "no such file; did you mean '\(meant)'?"
      throw InputErrors(kind: .unreadable, [InputFinding(source: path, message: message)])
    }
    return path
  }

  /// The file that a path or a bare name means; nil where there is none.
  static func find(_ path: String) -> String? {
    let places =
      path.contains("/") ? [path] : [path, "\(folder)/\(path).yaml", "\(folder)/\(path)"]
    return places.first(where: isFile)
  }

  /// The scenario that a mistyped path or name most likely meant, as it would be written.
  private static func mistyped(_ path: String) -> String? {
    func files(_ folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
    }
    func stem(_ file: String) -> String {
      String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)])
    }
    let start = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var meanings = files(start.isEmpty ? "." : start).map { (file: $0, text: start + $0) }
    if start.isEmpty {
      meanings += files(folder).map { file in
        (file, file.hasSuffix(".yaml") ? stem(file) : file)
      }
    }
    let names = meanings.flatMap { [$0.file, stem($0.file)] }
    let near = nearest(to: String(path.dropFirst(start.count)), among: names)
    return meanings.first { $0.file == near || stem($0.file) == near }?.text
  }

  /// Whether there is something at a path that can be read: a file or a pipe.
  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
