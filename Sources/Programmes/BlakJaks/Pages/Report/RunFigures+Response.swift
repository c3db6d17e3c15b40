internal import Quantities
internal import RewardModel

extension RunFigures {
  /// How the members of the run respond to what the program gives, and that this is assumed; nil
  /// where they do not respond.
  package var responseSentence: String? {
    let settings = population.response
    guard settings.isOn else { return nil }
    let response = MemberResponse(population, rules)
    var parts: [String] = []
    if settings.purchase != 0 || settings.scan != 0 {
      var text = "a scanned tin is worth \(usdt(response.value)) USDT on average, "
      text += "\(usdt(response.referenceValue)) at the reference"
      if settings.purchase != 0 {
        text += ", so they buy \(percent(response.purchase)) as often"
      }
      if settings.scan != 0 {
        text += settings.purchase == 0 ? ", so they" : " and"
        // Nobody scans more than all.
        let usual = population.tins.scanned
        let share = usual > 0 ? min(response.scan, 1 / usual) : response.scan
        text += " scan \(percent(share)) of the usual share"
      }
      parts.append(text)
    }
    if settings.adoption != 0 {
      parts.append("\(percent(response.adoption)) of the usual number sign up")
    }
    if settings.uplift != 0 {
      parts.append("after a win they buy \(percent(settings.uplift)) more often for a while")
    }
    if settings.lapse != 0 {
      parts.append("\(percent(settings.lapse)) of those whose tier falls stop buying")
    }
    return "Members respond to the program in this run, by assumption (population.response): "
      + parts.joined(separator: "; ") + "."
  }

  private func usdt(_ value: Double) -> String {
    MicroUSDT(microunits: Int64((value * 1e6).rounded())).cents
  }

  private func percent(_ factor: Double) -> String {
    PageWords.percent(Int64((factor * 10_000).rounded()))
  }
}
