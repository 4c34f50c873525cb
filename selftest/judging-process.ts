/** A process that judges targets: it takes one alteration at a time and answers with the judgement. */
import { judgeHostile } from './hostile/command-run.ts'
import { judgeAdministered } from './judge-administered.ts'
import { judgePortal } from './judge-portal.ts'
import { type Alteration, brokenBy, type Judged } from './trial.ts'

async function judge(alteration: Alteration): Promise<Judged> {
  try {
    const { hostile, logins } = alteration
    if (hostile !== undefined) return await judgeHostile(hostile, alteration)
    const judgement = logins === undefined ? judgePortal(alteration) : judgeAdministered(alteration, logins)
    const { checks: _, ...judged } = await judgement
    return judged
  } catch (error) {
    return brokenBy(error instanceof Error ? error.message : String(error))
  }
}

process.on('message', (alteration: Alteration) => {
  void judge(alteration).then((judged) => process.send?.(judged))
})
