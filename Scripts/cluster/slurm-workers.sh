#!/bin/bash
# An experiment whose workers are the tasks of a Slurm job; adaptive ones, too.
#
#   sbatch --ntasks=100 Scripts/cluster/slurm-workers.sh solve SCENARIO …
#
# PROGRAM is the pitboss that runs; the one on PATH by default. --overlap lets the experiment itself,
# which hardly computes, share a processor with a worker.
#SBATCH --job-name=pitboss
set -euo pipefail
program=${PROGRAM:-pitboss}
exec "$program" "$@" --jobs "$SLURM_NTASKS" \
  --workers "srun --ntasks=1 --nodes=1 --exact --overlap --unbuffered $(printf %q "$program") worker"
