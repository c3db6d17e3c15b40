internal import Foundation

/// What the system says of a file that could not be read or written.
package enum SystemWords {
  /// The words for an error, such as "No space left on device" where Foundation has a code and says "There isn't
  /// enough space".
  package static func of(_ error: any Error) -> String {
    if let code = code(of: error) { return String(cString: strerror(code)) }
    return error is CocoaError ? error.localizedDescription : "\(error)"
  }

  /// The system's number of an error, or of what caused it; nil where the system had no part in it.
  package static func code(of error: any Error) -> Int32? {
    number(error) ?? number((error as NSError).userInfo[NSUnderlyingErrorKey])
  }

  /// The system's number of an error that is one of the system's, in either of Foundation's two shapes.
  private static func number(_ error: Any?) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    guard let error = error as? NSError, error.domain == NSPOSIXErrorDomain else { return nil }
    return Int32(exactly: error.code)
  }
}
