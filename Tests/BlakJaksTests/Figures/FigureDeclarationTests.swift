import BlakJaks
// Goal: every number that a run shows is declared once, and nothing is declared that no run has.
// Method: the declarations against the runs of the scenarios that switch everything on.
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct FigureDeclarationTests {
  @Test("Every figure has an id, a title and a meaning of its own")
  func words() {
    let figures = BlakJaksProgramme.figures.figures
    #expect(Set(figures.map(\.id)).count == figures.count)
    #expect(Set(figures.map(\.title)).count == figures.count)
    for figure in figures {
      #expect(figure.title.trimming == figure.title && !figure.title.isEmpty, "\(figure.id)")
      #expect(figure.meaning.hasSuffix(".") && figure.meaning.count > 8, "\(figure.id)")
      #expect((figure.unit == .money) == figure.title.hasSuffix("USDT") || figure.isPart)
    }
    for declaration in BlakJaksSeries.catalog.declarations {
      #expect(!declaration.meaning.isEmpty && !declaration.meaning.hasSuffix("."))
      #expect(MeasureUnit(rawValue: declaration.unit.rawValue) == declaration.unit)
    }
  }

  @Test("What serves without being named is declared")
  func choices() {
    let catalog = BlakJaksProgramme.figures
    let choices = catalog.choices
    let ids =
      [choices.utilisation, choices.spend, choices.generosity] + choices.projection
      + choices.sweep + choices.owed.steps.map(\.figure)
    for id in ids { #expect(catalog.ids.contains(id), "\(id)") }
    #expect(Set(choices.projection).count == choices.projection.count)
  }

  @Test("Runs have the series and figures that are declared, and no others")
  func runs() throws {
    let scenarios = [
      try story("full-programme", "population.members=150", "calendar.days=100"),
      try story(
        "bot-ring", "population.members=60", "calendar.days=40", "population.mischief.shared=0.1"),
    ]
    var seen: Set<String> = []
    var values: Set<String> = []
    for scenario in scenarios {
      let record = try told(scenario)
      for series in record.series {
        let declaration = BlakJaksSeries.catalog.declaration(of: series.key)
        #expect(declaration?.unit == series.unit, "\(series.key)")
        if let declaration { seen.insert(declaration.key) }
      }
      for id in BlakJaksProgramme.figures.ids where record.figure(id) != nil { values.insert(id) }
    }
    for declaration in BlakJaksSeries.catalog.declarations {
      #expect(seen.contains(declaration.key), "no run has \(declaration.key)")
    }
    for figure in BlakJaksProgramme.figures.figures where figure.absence == nil {
      #expect(values.contains(figure.id), "no run has \(figure.id)")
    }
    let paths = scenarios.flatMap(\.settings).map(\.path)
    let named =
      BlakJaksProgramme.figures.figures.compactMap(\.setting)
      + BlakJaksSeries.catalog.declarations.compactMap(\.setting)
    for setting in Set(named) {
      #expect(
        paths.contains { $0 == setting || $0.hasPrefix(setting + "[") }, "no setting \(setting)")
    }
  }

  @Test("A family of series takes any name in its place, and nothing else")
  func families() {
    let catalog = BlakJaksSeries.catalog
    #expect(catalog.declaration(of: "prize.Trip $200K.awarded")?.unit == .count)
    #expect(catalog.declaration(of: "ledger.scan_reward.total")?.unit == .money)
    for key in ["prize..awarded", "prize.x", "ledger.x.sum", "no.such", ""] {
      #expect(catalog.declaration(of: key) == nil, "\(key)")
    }
  }

  @Test("A series that is not declared stops the process")
  func undeclared() async {
    await #expect(processExitsWith: .failure) {
      var table = SeriesTable(BlakJaksSeries.catalog)
      table.set("no.such", 1)
    }
  }
}

extension FigureDescription {
  fileprivate var isPart: Bool { partTitle != nil }
}

extension String {
  fileprivate var trimming: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
