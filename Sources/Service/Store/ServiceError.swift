internal import Foundation
package import Quantities

/// Why a service cannot be run.
package enum ServiceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A file that is not this service's.
  case otherFile(path: String, found: String)
  /// A file that began with other settings.
  case otherSettings(path: String, String)
  /// A database that cannot be used: its name, and why.
  case database(name: String, String)
  /// A database that began with other secrets.
  case otherSecrets(name: String)
  /// The secrets of a service are missing or cannot be used.
  case secrets(path: String)
  /// The secrets of a new service cannot be written.
  case secretsUnmade(path: String, String)
  /// An entry of the journal that holds something else than a request and its reply.
  case unreadable(sequence: Int64)
  /// A file that is not what was written.
  case damaged(path: String)
  /// A folder without a service.
  case missing(path: String)
  /// A folder with files of something else, and without a service.
  case foreign(path: String)
  /// Another process has the folder.
  case taken(path: String)
  /// The journal does not give what it gave before.
  case differs(sequence: Int64)
  /// Turns at a shared store were lost one after another.
  case lostTurns(Int)
  /// A clock was to begin before the last request, or before the service did.
  case clockBehind(asked: String, last: Instant)
  /// The service ends, or has failed, and takes nothing more.
  case closed
  /// The service could not write what the writer had taken, which may be on the disk all the same, and ends.
  case unwritten
  /// The writer could not go on.
  case failed(String)
  /// More waits than the service keeps.
  case full
  /// There was no answer within so many seconds. What the writer had taken may still be done.
  case late(seconds: Int, mayBeDone: Bool)
  /// The service stops and waits for its database or disk no longer. What the writer had taken may
  /// still be done.
  case stopping(mayBeDone: Bool)
  /// A stop left the writer after so many seconds, with requests that may be saved, and others that
  /// were not begun.
  case unsaved(seconds: Int, begun: Int, waiting: Int)

  package var description: String {
    switch self {
    case .otherFile(let path, let found):
      "\(path) is of another service (\(found)); serve with its own program, or begin elsewhere"
    case .otherSettings(let path, let settings):
      "\(path) began with other settings (now \(settings)); give those that it began with, or"
        + " another place"
    case .secrets(let path):
      "\(path) is missing or cannot be used; bring back the file that this service began with"
    case .secretsUnmade(let path, let why):
      "\(path) cannot be made: \(why); this service is new and keeps its secrets there"
    case .unreadable(let sequence):
      "request \(sequence) of the journal cannot be read: the file is damaged; bring back a copy"
    case .damaged(let path): "\(path) is damaged: it is not what was written"
    case .missing(let path):
      (!path.contains("://") && access(path, F_OK) != 0
        ? "\(path): no such folder" : "\(path) holds no service") + "; name what serve was given"
    case .foreign(let path):
      "\(path) already exists, is not empty and holds no service; name a new or an empty folder"
    case .taken(let path): "another process serves from \(path); stop it, or name another folder"
    case .differs(let sequence):
      "request \(sequence) of the journal is answered otherwise than it was; the rules or the"
        + " program changed: serve with what wrote it, or begin elsewhere"
    case .database(let name, let why): "\(name): \(why)"
    case .otherSecrets(let name):
      "\(name) began with other secrets; give the file that its first process made (--secrets)"
    case .lostTurns(let count):
      "\(count) turns at the database were lost one after another; see its log for why it ends them"
    case .clockBehind(let asked, let last):
      "the service has come to \(last); --clock \(asked) is before it: give a later time, or begin"
        + " elsewhere"
    case .closed: "the service takes nothing more: it is stopping, or could not write"
    case .unwritten: "the service could not write, and stops; " + Self.advice(true)
    case .failed(let why): "the writer stopped: \(why)"
    case .full: "the service has more to do than it keeps waiting"
    case .late(let seconds, let mayBeDone):
      "the service has not answered for \(seconds) seconds: its database, its disk or what it is at "
        + "takes too long; " + Self.advice(mayBeDone)
    case .stopping(let mayBeDone):
      "the service is stopping, and its database, its disk or what it is at takes too long; "
        + Self.advice(mayBeDone)
    case .unsaved(let seconds, let begun, let waiting):
      "stopped after \(seconds) seconds, as the database or the disk did not answer; requests that may or"
        + " may not be saved: \(begun), not begun: \(waiting), as their clients were told; everything that"
        + " was answered is saved"
    }
  }

  /// What somebody who got no answer can do.
  private static func advice(_ mayBeDone: Bool) -> String {
    mayBeDone
      ? "it may still be done: send it again with the same Idempotency-Key, or look whether it was"
      : "nothing was done: send it again later"
  }

  /// A file that began with other settings: names the first of them.
  static func otherSettings(path: String, was: String, now: String) -> ServiceError {
    let before = Set(was.split(separator: "\n"))
    let new = now.split(separator: "\n").filter { !before.contains($0) }
    return .otherSettings(path: path, new.prefix(3).joined(separator: ", "))
  }
}
