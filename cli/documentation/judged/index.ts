/** How every requirement is judged, in words. */
import { collaborationJudged } from './collaborations.ts'
import { contentJudged } from './content.ts'
import type { JudgedTexts } from './judged.ts'
import { protocolJudged } from './protocol.ts'
import { workspaceJudged } from './workspaces.ts'

export const judgedTexts: JudgedTexts = {
  ...protocolJudged,
  ...workspaceJudged,
  ...contentJudged,
  ...collaborationJudged,
}
