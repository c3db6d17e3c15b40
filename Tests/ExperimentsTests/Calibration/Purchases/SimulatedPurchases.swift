// Goal: purchases of members whose rates are known, for the tests that fit them.

import BlakJaks
import Experiments
import Population
import RewardModel

/// How members of a law buy and leave.
func behaviour(_ law: PurchaseLaw, seed: UInt64) -> BehaviourModel {
  var settings = PopulationSettings()
  settings.purchase.model = law.model
  settings.purchase.r = law.r
  settings.purchase.alpha = law.alpha
  settings.purchase.a = law.first
  settings.purchase.b = law.second
  settings.purchase.s = law.first
  settings.purchase.beta = law.second
  settings.purchase.erlang = law.shape
  return BehaviourModel(settings, seed: seed)
}

/// Members as the behavior model has them, each watched for some weeks in a range.
func simulatedPurchases(
  _ law: PurchaseLaw, members: UInt32, seed: UInt64, span: ClosedRange<Double>
) -> PurchaseSummary {
  let behaviour = behaviour(law, seed: seed)
  return PurchaseSummary(
    (0..<members).map { member in
      let share = Double(member) / Double(max(members - 1, 1))
      let end = span.lowerBound + share * (span.upperBound - span.lowerBound)
      let traits = behaviour.traits(member: member, referred: false)
      let lifetime = law.model == .paretoNbd ? Double(traits.dropout) : .infinity
      var row = PurchaseSummary.Row(repeats: 0, lastWeeks: 0, spanWeeks: end)
      var index: UInt32 = 0
      while true {
        let draw = behaviour.purchase(member: member, index: index)
        if behaviour.leaves(after: draw, index: index, dropout: traits.dropout) { return row }
        let next = row.lastWeeks + draw.gap * Double(traits.meanGapWeeks)
        guard next <= min(end, lifetime) else { return row }
        row.lastWeeks = next
        row.repeats += 1
        index += 1
      }
    })
}
