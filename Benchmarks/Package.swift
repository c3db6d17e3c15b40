// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what only benchmarks need stays out of the product.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Pitboss", path: "..")],
  targets: [
    .target(name: "Peer", swiftSettings: strict),
    .executableTarget(
      name: "bench-hold",
      dependencies: ["Peer", .product(name: "EventKernel", package: "Pitboss")],
      path: "Sources/HoldBench", swiftSettings: strict),
    .executableTarget(
      name: "bench-mm1",
      dependencies: ["Peer", .product(name: "EventKernel", package: "Pitboss")],
      path: "Sources/MM1Bench", swiftSettings: strict),
  ]
)
