internal import Quantities

extension HistoryForm {
  /// A row as the line of a file, with its end; members are named by their numbers from 1.
  ///
  /// - Parameter row: Its members are numbers from 0, as a simulation writes them.
  package func line(of row: HistoryRow) -> String {
    let event = events[Int(row.kind)]
    var line = "\(row.instant),\(Int64(row.member) + 1),\(event.word),"
    if event.hasAmount {
      line +=
        currency == nil
        ? String(row.amount)
        : MicroUSDT(microunits: row.amount).formatted(minimumDecimals: 2).filter { $0 != "," }
    }
    line += ","
    if row.other != .max { line += String(Int64(row.other) + 1) }
    return line + "\n"
  }
}
