internal import Dispatch
internal import Foundation
internal import Synchronization

/// Tells a case that is large or on a slow machine from one that hangs.
///
/// It goes by the processor time of the process and not by the clock on the wall: a machine that is busy
/// or asleep makes a case take longer and does not make it compute more.
package struct CaseWatch {
  /// Seconds of processor time that a case may take.
  package static let computing = 120
  /// Seconds in a row within which a case has to take one second of processor time.
  package static let resting = 120
  /// The exit status of a process whose case hung; the last line of its standard error says how.
  static let status: Int32 = 114

  private let begin: Double
  /// The processor time by which the current rest is measured.
  private var mark: Double
  private var rest = 0

  /// - Parameter used: The processor time of the process when the case begins, in seconds.
  package init(from used: Double) {
    begin = used
    mark = used
  }

  /// Looks at a case, once a second.
  ///
  /// - Parameter used: The processor time of the process now.
  /// - Returns: How the case hangs, in words; nil where it does not.
  package mutating func look(at used: Double) -> String? {
    guard used - begin <= Double(Self.computing) else {
      return "no answer within \(Self.computing) s of processor time, so the process was ended"
    }
    guard used - mark < 1 else {
      (mark, rest) = (used, 0)
      return nil
    }
    rest += 1
    guard rest >= Self.resting else { return nil }
    return "no answer, and no work for \(Self.resting) s, so the process was ended"
  }

  /// Runs a case in this process, and ends the process where the case hangs.
  static func over<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let watch = Mutex(CaseWatch(from: used))
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler {
      guard let why = watch.withLock({ $0.look(at: used) }) else { return }
      try? FileHandle.standardError.write(contentsOf: Data("\(why)\n".utf8))
      _exit(status)
    }
    timer.resume()
    defer { timer.cancel() }
    return try body()
  }

  /// The processor time of this process with all its threads, in seconds; POSIX counts it in microseconds.
  private static var used: Double { Double(clock()) / 1e6 }
}
