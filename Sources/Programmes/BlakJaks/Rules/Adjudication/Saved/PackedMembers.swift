internal import Quantities
package import RewardModel

// How members are saved: a million of them are read again in about a second.

extension MemberAccount: PackedRow {
  /// Comps, standing and affiliate.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(comps.microunits)
    writer.append(standing.quarterScans)
    writer.append(standing.lifetimeScans)
    standing.carried.pack(&writer)
    standing.floor.pack(&writer)
    standing.effective.pack(&writer)
    writer.append(standing.status.rawValue)
    writer.append(affiliate)
  }

  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    self.init()
    comps = MicroUSDT(microunits: try reader.next())
    standing.quarterScans = try reader.next()
    standing.lifetimeScans = try reader.next()
    standing.carried = try Tier(packed: &reader)
    standing.floor = try Tier(packed: &reader)
    standing.effective = try Tier(packed: &reader)
    standing.status = MemberStatus(rawValue: try reader.next())
    affiliate = try reader.next()
  }
}

extension MemberPurse: PackedRow {
  /// Wallet and vault.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(wallet.availableMicro)
    writer.append(wallet.pendingMicro)
    writer.append(wallet.transactionCount)
    wallet.cardState.pack(&writer)
    writer.append(vault.heldCount)
    writer.append(vault.quietEarned)
    for place in 0..<ChipVault.lots {
      writer.append(vault.earnedLots[place])
      writer.append(vault.bonusLots[place])
    }
  }

  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    self.init()
    wallet.availableMicro = try reader.next()
    wallet.pendingMicro = try reader.next()
    wallet.transactionCount = try reader.next()
    wallet.cardState = try CardState(packed: &reader)
    vault.heldCount = try reader.next()
    vault.quietEarned = try reader.next()
    for place in 0..<ChipVault.lots {
      vault.earnedLots[place] = try reader.next()
      vault.bonusLots[place] = try reader.next()
    }
  }
}

extension PackedRow where Self: RawRepresentable, RawValue: FixedWidthInteger {
  /// The raw value.
  package func pack(_ writer: inout PackedWriter) { writer.append(rawValue) }

  /// The case of a raw value.
  ///
  /// - Throws: `PackedError.outOfRange` where it is none of the cases.
  package init(packed reader: inout PackedReader) throws {
    let offset = reader.offset
    guard let value = Self(rawValue: try reader.next()) else {
      throw PackedError.outOfRange(offset: offset)
    }
    self = value
  }
}

extension Tier: PackedRow {}
extension CardState: PackedRow {}
extension OrderStatus: PackedRow {}
