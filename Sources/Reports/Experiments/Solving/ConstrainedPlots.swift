internal import Experiments
internal import RewardModel

/// The plots of a search for the best settings under conditions.
enum ConstrainedPlots {
  /// Figures over each setting; of two the plane, of more parallel coordinates before them.
  static func all(_ solution: ConstrainedSolution) -> [(title: String, plot: PlotSpec)] {
    var plots: [(title: String, plot: PlotSpec)] = []
    if solution.axes.count == 2 { plots.append(("The points tried", plane(solution))) }
    if solution.axes.count > 2 { plots.append(("The points tried", parallel(solution))) }
    let name = ConstrainedText.figureTitle(solution)
    for (place, axis) in solution.axes.enumerated() {
      plots.append(
        (
          "\(name) over \(axis.path)",
          slice(
            solution, name, axis: place, id: "plot-objective-\(place)",
            scale: isRatio(solution) ? 100 : 1, of: \.objective, bound: nil)
        ))
      for (row, condition) in solution.conditions.enumerated() {
        let scale = percentScale(condition)
        let name = ConstrainedText.conditionTitle(condition)
        plots.append(
          (
            "\(name) over \(axis.path)",
            slice(
              solution, name, axis: place, id: "plot-condition-\(row)-\(place)", scale: scale,
              of: { $0.conditions[row] }, bound: condition.bound)
          ))
      }
    }
    return plots
  }

  private static func isRatio(_ solution: ConstrainedSolution) -> Bool {
    if solution.goal.figure.unit == .share { return true }
    return false
  }

  private static func percentScale(_ condition: Objective) -> Double {
    if condition.isProbability { return 100 }
    if case .mean = condition.measure, condition.figure?.unit == .share {
      return 100
    }
    return 1
  }

  /// Which points a trace shows.
  private enum Group: CaseIterable {
    case holds, misses, shown

    func words(_ solution: ConstrainedSolution) -> PlotValue {
      switch self {
      case .holds: "Holds, by estimate at least"
      case .misses: "Does not hold, or stopped early"
      case .shown: solution.answer == nil ? "Least bad" : "Answer"
      }
    }

    func numbers(_ solution: ConstrainedSolution) -> [Int] {
      let search = solution.search
      return switch self {
      case .shown: [solution.shown]
      case .holds:
        search.points.indices.filter {
          $0 != solution.shown && search.isFeasible(search.points[$0])
        }
      case .misses:
        search.points.indices.filter {
          $0 != solution.shown && !search.isFeasible(search.points[$0])
        }
      }
    }

    var symbol: PlotValue {
      switch self {
      case .holds: "circle"
      case .misses: "x-thin"
      case .shown: "star"
      }
    }

    var size: PlotValue { self == .shown ? 16 : 9 }

    var colour: PlotValue {
      switch self {
      case .holds: "@@good"
      case .misses: "@@bad"
      case .shown: "@@accrual"
      }
    }
  }

  private static func axis(_ solution: ConstrainedSolution, _ place: Int) -> PlotValue {
    var isLogarithmic = false
    if case .logarithmic = solution.search.plan.axes[place].domain { isLogarithmic = true }
    return [
      "title": ["text": .name(solution.axes[place].path)], "automargin": true,
      "type": isLogarithmic ? "log" : "linear",
    ]
  }

  /// Two settings: where the conditions hold and how good it is there.
  private static func plane(_ solution: ConstrainedSolution) -> PlotSpec {
    let points = solution.search.points
    let name = ConstrainedText.figureTitle(solution)
    let unit = solution.goal.figure.unit
    let all = points.map { $0.figures.objective.estimate }
    let traces = Group.allCases.map { group -> PlotValue in
      let numbers = group.numbers(solution)
      // The objective colors points that hold; the others would only hide where the edge runs.
      let marker: PlotValue =
        group == .holds
        ? [
          "symbol": group.symbol, "size": 12,
          "colorscale": [[0, "@@barfill"], [1, "@@accrual"]],
          "color": .numbers(numbers.map { all[$0] }), "cmin": .number(all.min() ?? 0),
          "cmax": .number(all.max() ?? 1), "line": ["width": 1, "color": "@@soft"],
          "colorbar": ProjectionPlots.colourBar(title: .name(name), isBelow: true),
        ]
        : [
          "symbol": group.symbol, "size": group.size, "color": group.colour,
          "line": ["width": 2, "color": group.colour],
        ]
      return [
        "type": "scatter", "mode": "markers", "name": group.words(solution),
        "x": .numbers(numbers.map { points[$0].values[0] }),
        "y": .numbers(numbers.map { points[$0].values[1] }), "marker": marker,
        "text": .list(numbers.map { .name("\(name): \(FigureText.value(all[$0], unit))") }),
      ]
    }
    return PlotSpec(
      id: "plot-points", data: traces,
      layout: ["xaxis": axis(solution, 0), "yaxis": axis(solution, 1), "height": 520])
  }

  /// More settings: a line a point through all of them and the objective.
  private static func parallel(_ solution: ConstrainedSolution) -> PlotSpec {
    let search = solution.search
    var dimensions = solution.axes.enumerated().map { place, axis -> PlotValue in
      [
        "label": .name(axis.path), "values": .numbers(search.points.map { $0.values[place] }),
        "range": .numbers([search.plan.axes[place].low, search.plan.axes[place].high]),
      ]
    }
    dimensions.append([
      "label": .name(ConstrainedText.figureTitle(solution)),
      "values": .numbers(search.points.map { $0.figures.objective.estimate }),
    ])
    let states = search.points.indices.map { number in
      number == solution.shown ? 2.0 : search.isFeasible(search.points[number]) ? 1 : 0
    }
    return PlotSpec(
      id: "plot-points",
      data: [
        [
          "type": "parcoords", "dimensions": .list(dimensions),
          "line": [
            "color": .numbers(states), "cmin": 0, "cmax": 2,
            "colorscale": [[0, "@@faint"], [0.5, "@@good"], [1, "@@accrual"]],
          ],
        ]
      ], layout: ["height": 420, "margin": ["l": 90, "r": 90, "t": 70, "b": 30]])
  }

  /// One figure over one setting, for all values of the others.
  private static func slice(
    _ solution: ConstrainedSolution, _ name: String, axis place: Int, id: String, scale: Double,
    of figure: (SearchFigures) -> EstimatedInterval, bound: Double?
  ) -> PlotSpec {
    let points = solution.search.points
    let traces = Group.allCases.map { group -> PlotValue in
      let numbers = group.numbers(solution)
      let figures = numbers.map { figure(points[$0].figures) }
      return [
        "type": "scatter", "mode": "markers", "name": group.words(solution),
        "x": .numbers(numbers.map { points[$0].values[place] }),
        "y": .numbers(figures.map { $0.estimate * scale }),
        "marker": [
          "symbol": group.symbol, "size": group.size, "color": group.colour,
          "line": ["width": 2, "color": group.colour],
        ],
        "error_y": [
          "type": "data", "symmetric": false, "thickness": 1, "color": group.colour,
          "array": .numbers(figures.map { (($0.high ?? $0.estimate) - $0.estimate) * scale }),
          "arrayminus": .numbers(figures.map { ($0.estimate - ($0.low ?? $0.estimate)) * scale }),
        ],
      ]
    }
    let line: [PlotValue] =
      bound.map { bound in
        [
          [
            "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": .number(bound * scale),
            "y1": .number(bound * scale), "line": ["color": "@@bad", "dash": "dash", "width": 2],
          ]
        ]
      } ?? []
    return PlotSpec(
      id: id, data: traces,
      layout: [
        "xaxis": axis(solution, place), "shapes": .list(line), "height": 360,
        "yaxis": [
          "title": ["text": .name(name)], "automargin": true,
          "ticksuffix": scale == 100 ? " %" : "",
        ],
      ])
  }
}
