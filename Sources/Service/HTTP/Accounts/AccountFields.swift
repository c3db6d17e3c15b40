internal import RewardModel

/// What somebody says who joins or logs in to any program.
enum AccountFields {
  static let logIn = [
    ServedField("email", .email, "The member's address"),
    ServedField("password", .text(most: 256), "As it was chosen"),
  ]
  static let join = [
    ServedField("email", .email, "The member's address"),
    ServedField("password", .text(least: 10, most: 256), "At least 10 characters"),
    ServedField("birth_date", .date, "Like 1990-12-31"),
  ]
}
