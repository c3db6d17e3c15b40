package import Foundation

/// The checkout whose tests run.
package enum Checkout {
  /// Its folder.
  package static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The scenarios that come with the program.
  package static let scenarios = root.appendingPathComponent("Scenarios")

  /// The purchases of CDNOW's sample, which `Scripts/fetch-cdnow` brings.
  package static let cdnow = root.appendingPathComponent(".vendor/cdnow/cdnow-sample.csv")
}
