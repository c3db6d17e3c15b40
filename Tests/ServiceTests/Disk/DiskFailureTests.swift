// Goal: what a disk could not do is told from what a program did wrong.
// Method: a device that is always full, and errors of the system in both shapes that Foundation gives them.
import Foundation
import GRDB
import Service
import Testing

@Suite struct DiskFailureTests {
  @Test func aDiskThatIsFullIsNoDefect() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    var caught: (any Error)?
    do { try full.write(contentsOf: Data(count: 10)) } catch { caught = error }
    #expect(DiskFailure.words(of: try #require(caught)) == "No space left on device")
  }

  @Test(arguments: [ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE])
  func whatTheSystemSaysIsKnownInBothShapes(code: Int32) throws {
    let system = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
    let words = String(cString: strerror(code))
    let posix = POSIXError(try #require(POSIXErrorCode(rawValue: code)))
    let shapes: [any Error] = [
      posix, system,
      CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: posix]),
      CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: system]),
    ]
    for error in shapes {
      #expect(DiskFailure.words(of: error) == words, "\(error)")
      #expect(DiskFailure.isFull(error) == [ENOSPC, EDQUOT].contains(code), "\(error)")
    }
    let placed = CocoaError(
      .fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: system, NSFilePathErrorKey: "/x"])
    #expect(DiskFailure.words(of: placed) == "/x: \(words)")
  }

  @Test func aDatabaseSaysThatTheDiskIsFull() {
    #expect(DiskFailure.isFull(DatabaseError(resultCode: .SQLITE_FULL)))
    #expect(!DiskFailure.isFull(DatabaseError(resultCode: .SQLITE_IOERR)))
  }

  @Test func otherErrorsAreNotTheDisks() {
    struct Odd: Error {}
    let others: [any Error] = [
      Odd(), POSIXError(.ENOENT), CocoaError(.fileNoSuchFile),
      CocoaError(.fileReadNoSuchFile, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOENT)]),
    ]
    for error in others { #expect(DiskFailure.words(of: error) == nil, "\(error)") }
  }
}
