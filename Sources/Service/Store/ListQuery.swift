internal import RewardModel
internal import RunStore

/// The SQL that finds the newest rows of a list.
struct ListQuery {
  let text: String
  let arguments: [FieldValue]
  /// Of the columns of a row, the list's order first.
  let kinds: [FieldKind]

  /// - Parameters:
  ///   - shape: Of the list's table.
  ///   - mark: What stands before the number of an argument.
  ///   - owner: Whose rows, where the list has a column for it.
  ///   - before: Rows below this value of the list's order; nil for the newest.
  ///   - most: How many are shown; one more tells that there are more.
  init(
    _ list: RowList, _ shape: TableShape, mark: String, owner: FieldValue?, before: Int64?,
    most: Int
  ) {
    func stored(_ name: String) -> String {
      RunSchema.quoted(shape.columns.first { $0.name == name }?.storedName ?? name)
    }
    let order = stored(list.newest)
    var conditions: [String] = []
    var arguments: [FieldValue] = []
    if let column = list.owner, let owner {
      arguments.append(owner)
      conditions.append("\(stored(column)) = \(mark)\(arguments.count)")
    }
    if let before {
      arguments.append(.whole(before))
      conditions.append("\(order) < \(mark)\(arguments.count)")
    }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    text =
      "SELECT \(([order] + list.columns.map(stored)).joined(separator: ", "))"
      + " FROM \(RunSchema.quoted(shape.name))\(filter) ORDER BY \(order) DESC LIMIT \(most + 1)"
    self.arguments = arguments
    kinds = ([list.newest] + list.columns).map { name in
      shape.columns.first { $0.name == name }?.kind ?? .text
    }
  }
}
