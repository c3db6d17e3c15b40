/// A flavour of the brief.
package enum Flavour: UInt8, CaseIterable, Sendable, BitwiseCopyable, Codable {
  case spearmint, wintergreen, bubblegum, bluerazzIce, mintIce

  /// The name on the tin.
  package var name: String {
    switch self {
    case .spearmint: "Spearmint"
    case .wintergreen: "Wintergreen"
    case .bubblegum: "Bubblegum"
    case .bluerazzIce: "Bluerazz Ice"
    case .mintIce: "Mint Ice"
    }
  }

  /// Three letters of the stock-keeping unit.
  var letters: String {
    switch self {
    case .spearmint: "SPM"
    case .wintergreen: "WTG"
    case .bubblegum: "BUB"
    case .bluerazzIce: "BRZ"
    case .mintIce: "MIC"
    }
  }
}

/// One flavour in one strength, numbered 0 ..< 20: four strengths of each flavour in turn.
package struct Product: Hashable, Comparable, Sendable, BitwiseCopyable, Codable {
  /// 0 ..< `Catalogue.count`.
  package let index: UInt8

  /// The product of a number; nil at or beyond `Catalogue.count`.
  package init?(index: Int) {
    guard index >= 0, index < Catalogue.count else { return nil }
    self.index = UInt8(index)
  }

  /// The product of a flavour and a strength in milligrams; nil for a strength not sold.
  package init?(_ flavour: Flavour, milligrams: Int) {
    guard let place = Catalogue.strengths.firstIndex(of: milligrams) else { return nil }
    index = flavour.rawValue * UInt8(Catalogue.strengths.count) + UInt8(place)
  }

  /// Reads a stock-keeping unit, exactly as `sku` writes it; nil for anything else.
  package init?(sku: String) {
    guard let product = Catalogue.products.first(where: { $0.sku == sku }) else { return nil }
    self = product
  }

  /// In the order of the catalog.
  package static func < (a: Product, b: Product) -> Bool { a.index < b.index }

  /// What the pouches taste of.
  package var flavour: Flavour {
    Flavour.allCases[Int(index) / Catalogue.strengths.count]
  }

  /// Milligrams of nicotine a pouch.
  package var milligrams: Int { Catalogue.strengths[Int(index) % Catalogue.strengths.count] }

  /// As the shop and the answer to a scan name it: `Spearmint 6 mg`.
  package var name: String { "\(flavour.name) \(milligrams) mg" }

  /// Stock-keeping unit: `BJ-SPM-06`.
  package var sku: String { "BJ-\(flavour.letters)-\(milligrams < 10 ? "0" : "")\(milligrams)" }
}

/// What BlakJaks sells: five flavours in four strengths.
package enum Catalogue {
  /// Milligrams of nicotine a pouch, ascending.
  package static let strengths = [3, 6, 9, 12]

  /// How many products there are.
  package static var count: Int { 20 }

  /// Every product, by number.
  package static let products: [Product] = (0..<count).compactMap { Product(index: $0) }

  /// The product in the tin of a serial number, so that the code on a tin tells it.
  ///
  /// The serial number is mixed by the finaliser of SplitMix64 (Steele, Lea and Flood 2014,
  /// doi:10.1145/2660193.2660195) and the mixture, as a fraction of 2^64, scaled to the 20
  /// products. So each product takes a twentieth of every long run of serial numbers, and
  /// neighbours differ as if by chance.
  package static func product(ofSerial serial: UInt64) -> Product {
    var mixed = serial &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed &>> 31
    return Product(checked: UInt8(mixed.multipliedFullWidth(by: UInt64(count)).high))
  }
}

extension Product {
  /// - Parameter index: Below `Catalogue.count`.
  init(checked index: UInt8) { self.index = index }
}
