// A validator for the part of JSON Schema that the schemas of summaries and pages use. It knows no
// other keywords and says so, so that no schema can grow past it unnoticed.

import Foundation

/// Validates JSON text against a schema.
package struct MiniSchema {
  private let root: [String: Any]
  private static let annotations: Set = ["$schema", "$defs", "title", "description"]

  /// - Parameter text: The schema as JSON.
  package init(_ text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    root = value as? [String: Any] ?? [:]
  }

  /// What is wrong, one line a problem.
  package func problems(in text: String) -> [String] {
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
      return ["no JSON"]
    }
    return check(value, root, at: "$")
  }

  private func check(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
    var problems: [String] = []
    for key in schema.keys.sorted() where !Self.annotations.contains(key) {
      switch key {
      case "$ref":
        let name = (schema[key] as? String ?? "").replacing("#/$defs/", with: "")
        let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any]
        problems += target.map { check(value, $0, at: path) } ?? ["\(path): no definition \(name)"]
      case "type":
        let types = schema[key] as? [String] ?? [schema[key] as? String ?? ""]
        if !types.contains(where: { isOf($0, value) }) { problems.append("\(path): no \(types)") }
      case "const":
        if !same(value, schema[key]) { problems.append("\(path): wrong constant") }
      case "enum":
        let choices = schema[key] as? [Any] ?? []
        if !choices.contains(where: { same(value, $0) }) { problems.append("\(path): no choice") }
      case "minimum":
        if let number = value as? NSNumber, let least = schema[key] as? NSNumber,
          number.doubleValue < least.doubleValue
        {
          problems.append("\(path): below \(least)")
        }
      case "pattern":
        let matches = (value as? String).map {
          $0.range(of: schema[key] as? String ?? "", options: .regularExpression) != nil
        }
        // An empty run has neither fingerprint nor span before it is written.
        if matches == false { problems.append("\(path): '\(value)' does not match") }
      case "required":
        // The keyword says nothing about values that are no objects.
        guard let object = value as? [String: Any] else { break }
        for name in schema[key] as? [String] ?? [] where object[name] == nil {
          problems.append("\(path): lacks \(name)")
        }
      case "properties", "additionalProperties", "items":
        problems += checkParts(value, schema, key, at: path)
      default: problems.append("\(path): the schema uses \(key)")
      }
    }
    return problems
  }

  private func checkParts(
    _ value: Any, _ schema: [String: Any], _ key: String, at path: String
  ) -> [String] {
    let part = schema[key] as? [String: Any] ?? [:]
    if key == "items" {
      return (value as? [Any] ?? []).enumerated().flatMap {
        check($0.element, part, at: "\(path)[\($0.offset)]")
      }
    }
    let object = value as? [String: Any] ?? [:]
    return object.keys.sorted().flatMap { name -> [String] in
      let own = key == "properties" ? part[name] as? [String: Any] : part
      return own.map { check(object[name] ?? NSNull(), $0, at: "\(path).\(name)") } ?? []
    }
  }

  private func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "null": return value is NSNull
    case "boolean": return isBoolean(value)
    case "number": return value is NSNumber && !isBoolean(value)
    case "integer":
      guard let number = value as? NSNumber, !isBoolean(value) else { return false }
      return number.doubleValue.rounded() == number.doubleValue
    default: return false
    }
  }

  private func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c"
  }

  private func same(_ a: Any, _ b: Any?) -> Bool {
    if a is NSNull { return b is NSNull }
    if let a = a as? String { return a == b as? String }
    return (a as? NSNumber) == (b as? NSNumber) && a is NSNumber
  }
}
