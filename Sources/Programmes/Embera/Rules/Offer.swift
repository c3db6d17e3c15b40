package import Quantities

/// What members can redeem points for.
package struct Offer: Sendable, Equatable, Codable {
  /// Unique among the offers; stable in files.
  package var id: String
  /// As people read it.
  package var title: String
  /// One line below the title.
  package var highlight: String
  /// Points that it costs, 1 or more.
  package var points: Int64
  /// What it costs the roastery.
  package var cost: MicroUSDT
  /// What it would cost a customer without points: its stand-alone selling price.
  package var price: MicroUSDT

  /// The three offers of the brief.
  package static let standard = [
    Offer(
      id: "espresso", title: "Espresso on the house", highlight: "A double shot at the bar",
      points: 150, cost: MicroUSDT(microunits: 800_000), price: MicroUSDT(microunits: 3_500_000)),
    Offer(
      id: "filter_bag", title: "Filter bag 250 g", highlight: "A bag of this week's roast",
      points: 600, cost: .whole(6), price: .whole(14)),
    Offer(
      id: "tasting", title: "Tasting for two", highlight: "An evening at the roastery",
      points: 1_500, cost: .whole(24), price: .whole(35)),
  ]
}
