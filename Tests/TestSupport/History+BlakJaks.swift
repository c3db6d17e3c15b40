internal import BlakJaks
package import RewardModel
package import Scenario

/// Histories of BlakJaks.
extension History {
  package static func read(path: String, zone: String) throws(InputErrors) -> History {
    try read(BlakJaksProgramme.history, path: path, zone: zone)
  }

  package static func read(
    bytes: [UInt8], file: String, zone: String
  ) throws(InputErrors) -> History {
    try read(BlakJaksProgramme.history, bytes: bytes, file: file, zone: zone)
  }
}
