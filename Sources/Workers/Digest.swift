internal import Crypto
internal import Foundation

/// SHA-256 in lower-case hexadecimal.
package enum Digest {
  /// The digest of some bytes.
  static func of(_ bytes: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = SHA256.hash(data: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether two processes compute alike: the digest of this program's build and of the C library, by which
  /// expectations go.
  package static let build: String = {
    #if os(Linux)
      let path = "/proc/self/exe"
      var name = [CChar](repeating: 0, count: 64)
      confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count)
      let library = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    #else
      let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
      let library = ProcessInfo.processInfo.operatingSystemVersionString
    #endif
    let program =
      (try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)) ?? Data()
    // The linker's digest of all that it linked; without one every byte is read, which takes some
    // tenths of a second.
    let own = linkersDigest(program) ?? Array(SHA256.hash(data: program))
    return of(Data(own) + Data(library.utf8))
  }()

  /// The note NT_GNU_BUILD_ID of a 64-bit ELF file; nil where it has none.
  static func linkersDigest(_ file: Data) -> [UInt8]? {
    func number(_ offset: Int, _ size: Int) -> Int? {
      guard offset >= 0, offset <= file.count - size else { return nil }
      return (0..<size).reversed().reduce(0) {
        $0 &<< 8 | Int(file[file.startIndex + offset + $1])
      }
    }
    guard file.prefix(5) == Data([0x7F, 0x45, 0x4C, 0x46, 2]), let table = number(32, 8),
      let size = number(54, 2), let count = number(56, 2)
    else { return nil }
    for row in 0..<count {
      let head = table + row * size
      guard number(head, 4) == 4, let offset = number(head + 8, 8),
        let length = number(head + 32, 8)
      else { continue }
      var place = offset
      while place < offset + length, let name = number(place, 4),
        let content = number(place + 4, 4),
        let kind = number(place + 8, 4)
      {
        let start = place + 12 + (name + 3) / 4 * 4
        guard start + content <= file.count else { break }
        if kind == 3, name == 4 {
          return (0..<content).compactMap { number(start + $0, 1) }.map(UInt8.init)
        }
        place = start + (content + 3) / 4 * 4
      }
    }
    return nil
  }
}
