internal import Experiments
internal import RewardModel

extension ProjectionPlots {
  /// How often each month closes Warning or worse, and Critical.
  static func months(_ projection: Projection) -> Section? {
    let months = projection.months.filter { $0.critical.of > 0 }
    guard !months.isEmpty else { return nil }
    return Section(
      title: "Breach by month",
      text: "Percent of replications in which the month closes Warning or worse, or Critical.",
      spec: PlotSpec(
        id: "plot-months",
        data: [
          [
            "type": "heatmap", "x": .texts(months.map(\.label)),
            "y": ["Warning<br>or worse", "Critical"], "zmin": 0, "zmax": 100,
            "z": .list([
              .numbers(months.map { $0.warning.share * 100 }),
              .numbers(months.map { $0.critical.share * 100 }),
            ]), "colorscale": [[0, "@@panel"], [0.5, "@@caution"], [1, "@@bad"]],
            "texttemplate": "%{z:.0f}", "xgap": 2, "ygap": 2, "showscale": false,
            "hovertemplate": "%{x}: %{z:.0f} %<extra>%{y}</extra>",
          ]
        ],
        layout: [
          "xaxis": ["type": "category", "automargin": true], "yaxis": ["automargin": true],
          // Room above the cells for the buttons, which would cover the last months.
          "height": 198, "margin": ["l": 64, "r": 16, "t": 36, "b": 40],
        ]))
  }
}
