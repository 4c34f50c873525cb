/** Every fault that the embedded portal can be given. */
import { answersChapter } from './answers.ts'
import { callersChapter } from './callers.ts'
import { deletionsChapter } from './deletions.ts'
import type { Chapter, Fault, Product } from './fault.ts'
import { formsChapter } from './forms.ts'
import { idsChapter } from './ids.ts'
import { itemsChapter } from './items.ts'
import { limitsChapter } from './limits.ts'
import { readBackProducts } from './read-back.ts'
import { reassignmentsChapter } from './reassignments.ts'
import { refusalsChapter } from './refusals.ts'
import { rightsChapter } from './rights.ts'
import { strangersChapter } from './strangers.ts'
import { syncsChapter } from './syncs.ts'
import { textsChapter } from './texts.ts'
import { updatesChapter } from './updates.ts'
import { workspacesChapter } from './workspaces.ts'

const chapters: readonly Chapter[] = [
  formsChapter,
  limitsChapter,
  textsChapter,
  workspacesChapter,
  refusalsChapter,
  answersChapter,
  idsChapter,
  callersChapter,
  rightsChapter,
  strangersChapter,
  itemsChapter,
  reassignmentsChapter,
  syncsChapter,
  deletionsChapter,
  updatesChapter,
]

const judged = chapters.flatMap(({ products = [] }) => products)

/** Rules, each with the places where it applies; those that only reading shows stand last. */
export const products: readonly Product[] = [...judged, ...readBackProducts]

/** All but those that only reading back shows. */
export const faults: readonly Fault[] = [...judged, ...chapters].flatMap((each) => each.faults ?? [])
