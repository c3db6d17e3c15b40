#!/bin/bash
# An experiment in parts, one a task of a Slurm array, and their results at the end.
#
#   sbatch --array=1-100 Scripts/cluster/slurm-array.sh project SCENARIO --replications 10000 \
#     --antithetic on
#
# The folder in which it is submitted has to be one that all nodes see; parts go to parts/JOB.
# PROGRAM is the pitboss that runs; the one on PATH by default.
#SBATCH --job-name=pitboss
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -euo pipefail
program=${PROGRAM:-pitboss}
folder=parts/$SLURM_ARRAY_JOB_ID
mkdir -p "$folder"
"$program" "$@" --threads "${SLURM_CPUS_PER_TASK:-1}" --progress never \
  --part "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$folder/$SLURM_ARRAY_TASK_ID.jsonl"
# Whoever writes the last part merges all; where two end at once both find all and one is enough. A task
# that is ended meanwhile gives the turn back, or is put in the queue again and goes on: where it had no
# time to give it back, 'merging', a link to its number, says that the turn is still its own.
if [ "$(find "$folder" -maxdepth 1 -name '*.jsonl' | wc -l)" = "$SLURM_ARRAY_TASK_COUNT" ] &&
  [ ! -d "$folder/results" ] &&
  { ln -sn "$SLURM_ARRAY_TASK_ID" "$folder/merging" 2>/dev/null ||
    [ "$(readlink "$folder/merging")" = "$SLURM_ARRAY_TASK_ID" ]; }; then
  trap 'rm -f "$folder/merging"' EXIT
  trap 'exit 143' TERM INT
  "$program" merge "$folder"/*.jsonl --out "$folder/results"
fi
