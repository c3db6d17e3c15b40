// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Pitboss",
  products: [

  ],
  dependencies: [],
  targets: [
    .systemLibrary(
      name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    .target(name: "CKernel"),
    .target(name: "Quantities", swiftSettings: strict),
    .testTarget(
      name: "QuantitiesTests", dependencies: ["Quantities"], swiftSettings: strict),
  ]
)
