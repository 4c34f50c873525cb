/** The one file that Vitest runs: all checks of the chosen suite files side by side, so that none waits for another's wait. */
import { inject } from 'vitest'

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

for (const file of inject('portalConformance').files) await import(`./${file}.suite.${ending}`)
