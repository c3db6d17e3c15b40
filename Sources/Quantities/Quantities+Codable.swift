extension MicroUSDT: Codable {
  /// Written as its micro-units.
  public init(from decoder: any Decoder) throws {
    self.init(microunits: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes the one number that the value is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microunits)
  }
}

extension BasisPoints: Codable {
  /// Written as its number.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes the one number that the value is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Instant: Codable {
  /// Written as its microseconds.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes the one number that the value is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension TimeSpan: Codable {
  /// Written as its microseconds.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes the one number that the value is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension CivilDate: Codable {
  /// Written as `YYYY-MM-DD`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = CivilDate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a date")
    }
    self = date
  }

  /// Writes the one number that the value is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
