/** What --help says beyond the options. */

export const programHelp = `
Begin here:
  portal-conformance run --reference           try it on the embedded portal, no deployment needed
  portal-conformance serve                     start that portal and see what a configuration looks like
  portal-conformance plan --config FILE        what would be judged on your deployment; sends nothing
  portal-conformance run --config FILE         judge it

Exit codes of run:
  0    conformant: every must and implied requirement that applies was passed
  1    non-conformant: at least one failed
  2    usage or configuration error; nothing was sent
  3    incomplete: nothing failed, but something was inconclusive or not tested (0 with --allow-incomplete)
  4    the target could not be reached, or the suite itself broke
  130  interrupted; what was measured is written all the same`

export const runHelp = `
Examples:
  portal-conformance run --config staging.yaml
  portal-conformance run --config staging.yaml --requirement 'add-workspace/*' --seed 42
  portal-conformance run --reference --fault name-shortened

The report goes to stdout, progress and warnings to stderr. DIR/results.json holds everything that was found, with
every request and answer that shows it. Credentials come from the environment: write \${NAME} in the configuration.

Exit codes: 0 conformant, 1 non-conformant, 2 usage or configuration, 3 incomplete (0 with --allow-incomplete),
4 target not reached or suite broken, 130 interrupted.`

export const serveHelp = `
Prints its address and a configuration that is ready to be used:
  portal-conformance serve --port 8080 > portal.yaml &
  portal-conformance run --config portal.yaml`

export const planHelp = `
For each operation: the checks that a run would make, and those that it would not, with the reason, which says
what to add to the configuration. Nothing is sent and nothing is written.`

export const requirementsHelp = `
Levels: must is said by the contract, implied follows from it, advice never changes the verdict.`

export const replayHelp = `
Says "still failing" (exit code 1), "fixed" (0), or "flaky" or "cannot be told" (3). Where the finding names a generated
case, only that case is sent again.

Example:
  portal-conformance replay portal-conformance-report/results.json add-workspace/name-kept
`

export const selftestHelp = `
Runs the suite on embedded portals with a fault each, on portals that keep the contract in other ways, alone and in
combinations, and on hostile and broken targets. Prints a matrix and writes it to DIR.

Exit codes: 0 everything found and blamed exactly, nothing else complained of; 1 otherwise.`
