/**
 * Tries every operation with every illness: `npm run try-ill-portals -- [operation or illness]...` Exits with 1 if
 * another operation gets a finding or a run takes too long.
 */
import { judgePortal } from '../judge-portal.ts'
import { illPortals, problemsOfIll } from './ill-portals.ts'

const thoroughness = { seed: 1, runs: 30 }

const wanted = process.argv.slice(2)
const chosen = illPortals.filter(
  ({ operation, illness }) => wanted.length === 0 || wanted.includes(operation) || wanted.includes(illness),
)
// The first run also loads modules. Measure the second one.
await judgePortal(thoroughness)
const healthy = await judgePortal(thoroughness)
process.stdout.write(`healthy: ${(healthy.durationMs / 1000).toFixed(1)} s\n`)
let problems = 0
for (const ill of chosen) {
  const judged = await judgePortal({ ill, ...thoroughness })
  const found = problemsOfIll(ill, judged, healthy)
  problems += found.length
  const name = `${ill.operation} ${ill.illness} 1 in ${ill.oneIn}`
  process.stdout.write(`${name}: ${(judged.durationMs / 1000).toFixed(1)} s, ${judged.requests} requests\n`)
  for (const problem of found) process.stdout.write(`    ${problem}\n`)
}
process.stdout.write(`${chosen.length} ill portals, ${problems} problems\n`)
process.exitCode = problems === 0 ? 0 : 1
