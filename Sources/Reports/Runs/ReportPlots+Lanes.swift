internal import Documents
internal import Quantities
internal import RewardModel

extension PlotLanes {
  /// Marks whose area grows with the count.
  var data: [PlotValue] {
    lanes.enumerated().map { row, lane in
      let largest = Double(lane.marks.map(\.count).max() ?? 1)
      let sizes = lane.marks.map { 7 + 15 * (Double($0.count) / max(largest, 6)).squareRoot() }
      let isCrowded = lane.marks.count > 60
      return [
        "type": "scatter", "mode": "markers", "name": .name(lane.name),
        "x": .texts(lane.marks.map(\.date.description)),
        "y": .list(lane.marks.map { _ in .name(PlotValue.short(lane.name)) }),
        "text": .list(lane.marks.map { .name($0.words) }),
        "marker": [
          "size": .numbers(sizes.map { ($0 * 10).rounded() / 10 }),
          "opacity": isCrowded ? 0.45 : 0.85, "color": PlotColour.series(row).value,
          "line": ["width": isCrowded ? 0 : 1, "color": "@@panel"],
        ],
        "hovertemplate": .text("\(PlotAxis.hover)<br>%{text}<extra></extra>"),
      ]
    }
  }

  var layout: [String: PlotValue] {
    [
      "xaxis": .object(axis.layout),
      "yaxis": [
        // Lanes without a mark are shown, too.
        "type": "category", "automargin": true,
        "range": [.number(Double(lanes.count) - 0.5), -0.5], "categoryorder": "array",
        "categoryarray": .list(lanes.map { .name(PlotValue.short($0.name)) }),
      ],
      "showlegend": false, "height": .number(Double(130 + 56 * max(lanes.count, 2))),
    ]
  }
}
