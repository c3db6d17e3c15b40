// Goal: whoever has only the path of a setting learns what it is about.
// Method: every setting of a resolved scenario is looked up by its path.
import Scenario
import Testing

@Suite struct SettingDocsTests {
  @Test func everyResolvedSettingIsKnownByItsPath() throws {
    let loaded = try Scenario.load(
      text: "name: x\npopulation: {season: none}\n", file: "t.yaml")
    #expect(loaded.settings.contains { $0.path.hasSuffix("[1].every") })
    for setting in loaded.settings {
      let about = try #require(SettingDocs.about(setting.path, of: "blakjaks"), "\(setting.path)")
      #expect(about.doc == setting.doc && about.unit == setting.unit, "\(setting.path)")
      #expect(!about.doc.isEmpty)
    }
  }

  @Test(
    "Other paths are not known",
    arguments: [
      "", "rules", "rules.prizes[0]", "rules.prizes[0].colour", "rules.prizes[", "a[0].b",
    ])
  func unknown(path: String) {
    #expect(SettingDocs.about(path, of: "blakjaks") == nil)
    #expect(SettingDocs.about("seed", of: path) == nil)
  }
}
