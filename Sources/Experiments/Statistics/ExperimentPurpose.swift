/// What a random stream of the experiments' own statistics is for.
///
/// The numbers share one space with those of the population, so that an experiment never draws
/// from a stream of the model; 60 and 61 also name what loads and checks draw, which no experiment does.
package enum ExperimentPurpose: UInt32, CaseIterable, Sendable {
  /// Permutations and jitter of a Latin hypercube; the entity is the try.
  case latinHypercube = 60
  /// Trajectories of Morris's screening; the entity is the trajectory.
  case morris = 61
  /// Digital shift of a Sobol sequence; the entity is the dimension.
  case sobolShift = 62
  /// Resamples of a tail; the entity is the resample.
  case tailBootstrap = 63
  /// Resamples of Sobol indices; the entity is the resample.
  case sobolBootstrap = 64
  /// Values of an uncertain setting in a replication; the entity is a digest of its path.
  case uncertain = 65
  /// Parameters of a fitted model; the entity is the draw.
  case parameters = 66
  /// Who brings whom, run again; the entity is the run.
  case referrals = 67
}
