internal import Experiments

/// One of several parts of an experiment, `k/n`.
package struct Part: Sendable, Equatable {
  /// Parts of an experiment, at most.
  package static let most = 100_000

  /// From 1.
  package let number: Int
  package let count: Int

  /// Reads `k/n`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      (1...Self.most).contains(count), (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  /// The k-th of every n.
  func share<Element>(of all: [Element]) -> [Element] {
    all.enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
  }
}
