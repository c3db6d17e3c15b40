package import RewardModel

/// The figures that experiments measure in every replication, in a fixed order: all that the
/// program declares, and the daily series that somebody asks for.
package struct MeasuredFigures: Sendable {
  /// What the program declares.
  package let catalog: FigureCatalog
  /// Each once: row n of `Replication.figures` is the n-th.
  package let figures: [FigureDescription]

  /// - Parameters:
  ///   - catalog: The figures of the program.
  ///   - asked: Ids that are measured besides; names that no figure can have are left out.
  package init(_ catalog: FigureCatalog, asked: [String] = []) {
    self.catalog = catalog
    var all = catalog.figures
    for id in asked where !all.contains(where: { $0.id == id }) {
      if let figure = catalog.figure(id) { all.append(figure) }
    }
    figures = all
  }

  /// The ids.
  package var names: [String] { figures.map(\.id) }

  /// The row of a figure; nil when nobody asked for it.
  package func row(of id: String) -> Int? { figures.firstIndex { $0.id == id } }
}
