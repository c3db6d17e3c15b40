// swift-tools-version: 6.2
import PackageDescription

// Scripts/fuzz builds with PITBOSS_FUZZ, the path of libFuzzer: what is fuzzed tells it which way
// the code went, and the address sanitizer watches.
let fuzzer = Context.environment["PITBOSS_FUZZ"]
let watched: [SwiftSetting] =
  fuzzer == nil
  ? []
  : [
    .unsafeFlags([
      "-O", "-sanitize=address",
      "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table",
    ])
  ]

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + watched

// Tests run worlds of millions of events and write hundreds of runs, so what computes or writes them is
// optimized in debug builds, too, and so are the tests of BlakJaks: they have worlds of their own.
// PITBOSS_UNOPTIMIZED=1 leaves that out, for a debugger.
let computing: [SwiftSetting] =
  Context.environment["PITBOSS_UNOPTIMIZED"] == nil
  ? strict + [.unsafeFlags(["-O"], .when(configuration: .debug))] : strict

// A released program has Swift's libraries in it: the loader then has a fifth of the work at each
// start, and the runtime looks through fewer types. The libraries behind Foundation are named, as
// archives do not name those that they need themselves. Tests link XCTest, which brings the shared
// libraries along; they are built for debugging. PITBOSS_SHARED=1 leaves that out, for a sanitizer.
let shared = Context.environment["PITBOSS_SHARED"] != nil
let contained: [LinkerSetting] =
  shared
  ? []
  : [
    .unsafeFlags(
      [
        "-static-stdlib", "-lFoundationInternationalization", "-lFoundationEssentials",
        "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU",
        "-lswiftDispatch", "-ldispatch", "-lBlocksRuntime", "-lstdc++",
        // Nobody else links the program, so that its 67,000 symbols need not be for others to find.
        "-Xlinker", "--no-export-dynamic",
      ], .when(platforms: [.linux], configuration: .release))
  ]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let commandLine = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let deques = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heaps = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let lifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let hummingbirdCore = Target.Dependency.product(
  name: "HummingbirdCore", package: "hummingbird")
let signals = Target.Dependency.product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let tokens = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let yaml = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
  name: "Pitboss",
  products: [
    .executable(name: "pitboss", targets: ["pitboss"]),
    .library(
      name: "EventKernel", targets: ["EventKernel", "BlakJaks", "Quantities", "RewardModel"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
  ],
  targets: [
    .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .target(name: "CPostgres"),
    .target(name: "CKernel", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Quantities", swiftSettings: computing),
    .target(name: "Documents", swiftSettings: computing),
    .target(
      name: "EventKernel", dependencies: ["CGSL", "CKernel", "Quantities"], swiftSettings: computing
    ),
    .target(
      name: "Population", dependencies: ["CGSL", "CKernel", "EventKernel", "Quantities"],
      swiftSettings: computing),
    .target(
      name: "RewardModel", dependencies: ["Documents", "EventKernel", "Population", "Quantities"],
      swiftSettings: computing),
    .target(
      name: "BlakJaks",
      dependencies: [
        "CKernel", "Documents", "EventKernel", "Population", "Quantities", "RewardModel", heaps,
      ],
      path: "Sources/Programmes/BlakJaks", exclude: ["Rules/Rules.md"], swiftSettings: computing),
    .target(
      name: "Embera", dependencies: ["EventKernel", "Population", "Quantities", "RewardModel"],
      path: "Sources/Programmes/Embera", exclude: ["Rules/Rules.md"], swiftSettings: computing),
    .target(
      name: "Programmes", dependencies: ["BlakJaks", "Embera", "RewardModel"],
      path: "Sources/Programmes/Registry", swiftSettings: strict),
    .target(
      name: "Scenario",
      dependencies: ["Documents", "Programmes", "Quantities", "RewardModel", yaml],
      swiftSettings: computing),
    .target(
      name: "Experiments",
      dependencies: [
        "CGSL", "Documents", "EventKernel", "Population", "Quantities", "RewardModel", "Scenario",
      ],
      swiftSettings: computing),
    .target(
      name: "Workers",
      dependencies: ["Documents", "Experiments", "Quantities", "RewardModel", "Scenario", crypto],
      swiftSettings: computing),
    .target(
      name: "RunStore",
      dependencies: ["Documents", "Quantities", "RewardModel", crypto, database, sqlite],
      swiftSettings: computing),
    .target(
      name: "Reports",
      dependencies: [
        "Documents", "EventKernel", "Experiments", "Population", "Quantities", "RewardModel",
        "BlakJaks", "Scenario",
      ],
      swiftSettings: computing),
    .target(
      name: "Service",
      dependencies: [
        "CMalloc", "CPostgres", "Documents", "EventKernel", "Population", "Quantities", "Reports",
        "RewardModel", "RunStore", crypto,
        cryptoExtras, database, httpTypes, hummingbird, hummingbirdCore, lifecycle, logging, nio,
        nioHTTP, signals, sqlite,
        tokens,
      ],
      swiftSettings: strict),
    .target(
      name: "Studio",
      dependencies: [
        "EventKernel", "Experiments", "Quantities", "Reports", "RewardModel", "Scenario", httpTypes,
        hummingbird, hummingbirdCore, lifecycle, logging, nio,
      ],
      swiftSettings: strict),
    .target(
      name: "Check",
      dependencies: [
        "Documents", "EventKernel", "Population", "Quantities", "Reports", "RewardModel",
        "RunStore",
        "Scenario", "Service", "Workers",
      ],
      swiftSettings: strict),
    .target(
      name: "LoadTest",
      dependencies: [
        "CGSL", "CKernel", "Documents", "EventKernel", "Quantities", "Reports", "RewardModel",
        "Scenario", deques, heaps, histogram, nio, nioEmbedded, nioSSL, nioTLS,
      ],
      swiftSettings: computing),
    .executableTarget(
      name: "pitboss",
      dependencies: [
        "Check", "Experiments", "LoadTest", "Population", "Quantities", "Reports", "BlakJaks",
        "Programmes",
        "RewardModel",
        "RunStore", "Scenario", "Service", "Studio", "Workers", commandLine,
        logging,
      ],
      swiftSettings: strict, linkerSettings: contained),
    .executableTarget(
      name: "example-cluster", dependencies: ["EventKernel", "Quantities"],
      path: "Sources/Examples/Cluster", swiftSettings: strict),
    .executableTarget(
      name: "example-mm1", dependencies: ["EventKernel", "Quantities"],
      path: "Sources/Examples/MM1", swiftSettings: strict),
    .executableTarget(
      name: "example-mmc", dependencies: ["EventKernel", "Quantities"],
      path: "Sources/Examples/MMc", swiftSettings: strict),
    .executableTarget(
      name: "example-phold", dependencies: ["EventKernel", "Quantities"],
      path: "Sources/Examples/PHOLD", swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "LoadTest", "Programmes", "Quantities", "RewardModel", "RunStore", "Scenario", "Service",
        database, nio,
      ],
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "BlakJaks", "EventKernel", "Population", "Quantities", "Reports", "RewardModel", "Scenario",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "CheckTests",
      dependencies: [
        "BlakJaks", "Check", "Embera", "Programmes", "Quantities", "RewardModel", "Scenario",
        "TestSupport", "Workers",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BlakJaksTests",
      dependencies: [
        "BlakJaks", "CGSL", "CKernel", "EventKernel", "Population", "Quantities", "RewardModel",
        "RunStore", "Scenario", "TestSupport",
      ],
      swiftSettings: computing),
    .testTarget(
      name: "EmberaTests",
      dependencies: [
        "Embera", "EventKernel", "Population", "Quantities", "RewardModel", "Scenario",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EventKernelTests",
      dependencies: ["CGSL", "CKernel", "EventKernel", "Quantities", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ExperimentsTests",
      dependencies: [
        "CGSL", "EventKernel", "Experiments", "Population", "Quantities", "RewardModel", "BlakJaks",
        "RunStore", "Scenario", "TestSupport", "Workers",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["FuzzTargets", "LoadTest"], exclude: ["Corpus", "Words"],
      swiftSettings: strict),
    .testTarget(
      name: "LoadTestTests",
      dependencies: [
        "BlakJaks", "Embera", "EventKernel", "LoadTest", "Quantities", "Reports", "RewardModel",
        "Scenario", "TestSupport",
      ], exclude: ["Servers"],
      swiftSettings: strict),
    .testTarget(
      name: "PopulationTests",
      dependencies: ["CGSL", "EventKernel", "Population", "Quantities", "RewardModel", "BlakJaks"],
      swiftSettings: strict),
    .testTarget(
      name: "PitbossTests",
      dependencies: ["TestSupport", "pitboss", crypto, httpClient, nio, yaml],
      swiftSettings: strict),
    .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"], swiftSettings: strict),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Experiments", "Population", "Quantities", "RewardModel", "Reports", "BlakJaks", "Embera",
        "Scenario", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RunStoreTests",
      dependencies: [
        "Quantities", "Documents", "RewardModel", "BlakJaks", "RunStore", "TestSupport", database,
      ], exclude: ["Earlier"],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "BlakJaks", "CMalloc", "Quantities", "Reports", "RewardModel", "Scenario", "Service",
        "TestSupport", database,
        httpClient, logging, nio, nioHTTP, tokens,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "BlakJaks", "Embera", "Experiments", "Quantities", "Reports", "RewardModel", "Scenario",
        "Studio", "TestSupport", httpClient, logging, nio, nioHTTP,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "BlakJaks", "Population", "Quantities", "RewardModel", "Scenario", "TestSupport",
      ],
      swiftSettings: strict),
  ]
)

if let fuzzer {
  package.targets += [
    .systemLibrary(name: "CFuzzer"),
    .executableTarget(
      name: "pitboss-fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Sources/Fuzzer",
      swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags(["-sanitize=address", "-Xlinker", fuzzer]), .linkedLibrary("stdc++"),
      ]),
  ]
}
