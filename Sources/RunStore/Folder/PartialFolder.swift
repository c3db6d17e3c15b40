internal import Crypto
internal import Foundation

/// The hidden folders and files that writes make next to their targets, `.NAME.partial-PID-PLACE` and
/// `.NAME.replaced-PID-PLACE`.
///
/// `PLACE` stands for the machine since its last start and, in containers, the space in which
/// process numbers count: where it is this one's, a number that no process has is that of a
/// process that is gone. A shared file system may hold folders of another machine, whose processes
/// are not seen here; they count as left when nobody touched them, or a file in them, for a day.
enum PartialFolder {
  /// What a hidden folder is.
  enum Kind: String, CaseIterable {
    /// Being written.
    case partial
    /// An earlier folder on its way out.
    case replaced
  }

  /// How long a folder of another machine has to be untouched to count as left, in seconds.
  private static let patience = 86_400

  /// The name of this process's own.
  static func name(_ kind: Kind, of target: String) -> String {
    ".\(target).\(kind.rawValue)-\(getpid())\(place.isEmpty ? "" : "-\(place)")"
  }

  /// Twelve hexadecimal digits for this machine and process space; empty where they have no name.
  private static let place: String = {
    let files = FileManager.default
    guard let boot = files.contents(atPath: "/proc/sys/kernel/random/boot_id"),
      let space = try? files.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    else { return "" }
    return String(RunFingerprint.sha256(boot + Data(space.utf8)).prefix(12))
  }()

  /// Removes what processes that are gone have left in a folder, whatever it was made for. An
  /// earlier folder that was moved aside, and that nothing replaced, is moved back.
  static func clear(_ parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names.sorted() {
      guard let (kind, target) = left(name, in: parent) else { continue }
      let path = "\(parent)/\(name)"
      if kind == .replaced, rename(path, "\(parent)/\(target)") == 0 { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Whether what stands behind the process says where that ran, as every name of ours does on a machine
  /// that can tell: a folder of somebody else's with a number in its name is not touched.
  private static func isPlace(_ parts: ArraySlice<Substring>) -> Bool {
    guard let digits = parts.first, parts.count == 1 else { return parts.isEmpty && place.isEmpty }
    return digits.utf8.count == 12 && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  /// When a folder or a file in it was touched last, in seconds since 1970. An experiment writes rows to
  /// one file for hours, which is no change of the folder.
  private static func touched(_ folder: String, _ status: stat) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(status.st_mtim.tv_sec) { latest, name in
      var file = stat()
      return lstat("\(folder)/\(name)", &file) == 0 ? max(latest, file.st_mtim.tv_sec) : latest
    }
  }

  /// What a name says of a folder whose process is gone; nil for anything else.
  private static func left(_ name: String, in parent: String) -> (kind: Kind, target: String)? {
    guard name.hasPrefix("."), let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return nil
    }
    let parts = name[name.index(after: dot)...].split(
      separator: "-", omittingEmptySubsequences: false)
    var status = stat()
    guard let kind = Kind(rawValue: String(parts[0])), parts.count >= 2,
      isPlace(parts.dropFirst(2)), let process = Int32(parts[1]), process > 0,
      lstat("\(parent)/\(name)", &status) == 0,
      status.st_mode & S_IFMT == S_IFDIR || kind == .partial && status.st_mode & S_IFMT == S_IFREG,
      kill(process, 0) != 0, errno == ESRCH
    else { return nil }
    let isOurs = parts.count == 3 && parts[2] == place
    guard isOurs || time(nil) - touched("\(parent)/\(name)", status) > patience else { return nil }
    return (kind, String(name[name.index(after: name.startIndex)..<dot]))
  }
}
