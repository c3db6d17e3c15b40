internal import Foundation
internal import Scenario

/// A scenario file below the studio's folder: never one elsewhere, and over nothing that is not a
/// scenario.
package struct ScenarioFile: Sendable {
  /// From the folder.
  package let path: String
  private let place: URL

  /// - Parameters:
  ///   - path: From the folder, ending with `.yaml` or `.yml`.
  ///   - folder: The one in or below which it has to be.
  /// - Throws: `StudioRefusal` for any other path.
  package init(_ path: String, in folder: String) throws(StudioRefusal) {
    let path = path.trimmingCharacters(in: .whitespaces)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
    guard isPlain, path.utf8.count <= 1_000 else {
      throw StudioRefusal(
        "'\(path)' is not a file below this folder; write a name such as my-scenario.yaml",
        path: "file")
    }
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
      throw StudioRefusal(
        "'\(path)' does not end with .yaml; write \(path).yaml", path: "file")
    }
    // A link on the way could lead out of the folder.
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath()
    var place = root
    for part in parts {
      place.append(path: String(part))
      let type = try? FileManager.default.attributesOfItem(atPath: place.path)[.type]
      guard type as? FileAttributeType != .typeSymbolicLink else {
        throw StudioRefusal("'\(path)' passes through a link; choose another place", path: "file")
      }
    }
    self.path = path
    self.place = place
  }

  /// The system's own words, where it has some.
  private static func reason(of error: any Error) -> String {
    var next: NSError? = error as NSError
    while let now = next {
      if now.domain == NSPOSIXErrorDomain {
        return ": " + String(cString: strerror(Int32(now.code)))
      }
      next = now.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return ""
  }

  /// Writes the file as a whole; missing folders are made.
  ///
  /// - Parameter replacing: Whether a scenario that is there may be replaced.
  /// - Throws: `StudioRefusal`; what was there is then unchanged.
  package func write(_ text: String, replacing: Bool) throws(StudioRefusal) {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    if files.fileExists(atPath: place.path, isDirectory: &isFolder) {
      guard !isFolder.boolValue, (try? Scenario.load(path: place.path)) != nil else {
        throw StudioRefusal(
          "\(path) already exists and is not a scenario; choose another name", path: "file")
      }
      guard replacing else {
        throw StudioRefusal(
          "\(path) already exists; replace it?", path: "file", mayReplace: true)
      }
    }
    do {
      try files.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place, options: .atomic)
    } catch {
      throw StudioRefusal(
        "\(path) cannot be written\(Self.reason(of: error)); choose another place",
        path: "file")
    }
  }
}
