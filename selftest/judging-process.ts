/** A process that judges embedded portals: it takes one alteration at a time and answers with the judgement. */
import { judgeAdministered } from './judge-administered.ts'
import { judgePortal } from './judge-portal.ts'
import { type Alteration, brokenBy, type Judged } from './judgement.ts'

async function judge(alteration: Alteration): Promise<Judged> {
  try {
    const { logins } = alteration
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
