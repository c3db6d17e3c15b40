extension Scenario {
  /// Most bytes of a folder's name; two of them and a command's word stay below the 255 that file
  /// systems take.
  private static let folderNameBytesMaximum = 100

  /// The name as one part of a path, for folders that are called after the scenario.
  ///
  /// What would lead to another folder, hide the folder or confuse a terminal becomes `-`; a name
  /// of more than 100 bytes is cut.
  package var folderName: String {
    var out = ""
    for character in name {
      let isSafe = character.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && scalar != "/" && !(0x7F...0x9F).contains(scalar.value)
          && !(0x2028...0x202E).contains(scalar.value)
          && !(0x2066...0x2069).contains(scalar.value)
      }
      let next = isSafe && !(out.isEmpty && character == ".") ? String(character) : "-"
      guard out.utf8.count + next.utf8.count <= Self.folderNameBytesMaximum else { break }
      out += next
    }
    return out.isEmpty ? "-" : out
  }
}
