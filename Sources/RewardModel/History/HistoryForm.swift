/// What the histories of a program hold: its events, and what the amount of a row is.
///
/// The header of a file is `time,member,event,AMOUNT,other`, with the name of the amount's column.
package struct HistoryForm: Sendable, Equatable {
  /// An event that a row can hold.
  package struct Event: Sendable, Equatable {
    /// As files spell it.
    package let word: String
    /// Whether its rows carry an amount.
    package let hasAmount: Bool
    /// Whether its rows are purchases, to which models of buying are fitted.
    package let isPurchase: Bool
    /// Whether its rows say that their member signs up.
    package let isSignUp: Bool
    /// Whether its rows use up what purchases of the same member brought.
    package let usesPurchases: Bool
    /// The member that its rows name as other; nil where they name none.
    package let other: Other?

    /// An event.
    package init(
      _ word: String, hasAmount: Bool = false, isPurchase: Bool = false, isSignUp: Bool = false,
      usesPurchases: Bool = false, other: Other? = nil
    ) {
      self.word = word
      self.hasAmount = hasAmount
      self.isPurchase = isPurchase
      self.isSignUp = isSignUp
      self.usesPurchases = usesPurchases
      self.other = other
    }
  }

  /// Another member whom a row names, who brought the row's own member to the program.
  package struct Other: Sendable, Equatable {
    /// Whom the row has to name, as in `the referring member`.
    package let whom: String
    /// What a member does who names itself, as in `refers itself`.
    package let itself: String

    /// Another member.
    package init(whom: String, itself: String) {
      self.whom = whom
      self.itself = itself
    }
  }

  /// Name of the amount's column.
  package let column: String
  /// The currency of amounts, whose word may stand behind the number; nil where an amount is a
  /// whole number of things, and an empty field is 1.
  package let currency: Currency?
  /// Amounts that rows may carry: things, or micro-units of money.
  package let amounts: ClosedRange<Int64>
  /// The events; rows refer to them by place. At most 255.
  package let events: [Event]

  /// The first line of a file.
  package var header: String { "time,member,event,\(column),other" }

  /// A form.
  package init(
    column: String, currency: Currency? = nil, amounts: ClosedRange<Int64>, events: [Event]
  ) {
    self.column = column
    self.currency = currency
    self.amounts = amounts
    self.events = events
  }

  /// The amount of a row that carries none.
  package var noAmount: Int64 { currency == nil ? 1 : 0 }
}
