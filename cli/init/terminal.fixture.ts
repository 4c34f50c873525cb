/** A terminal that is typed on: what shows on it, and whether it is read key by key. */
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { observedContext } from '../process/command-context.fixture.ts'

export function typedTerminal(environment: NodeJS.ProcessEnv = {}) {
  const observed = observedContext(environment)
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => void modes.push(raw),
  })
  let seen = 0
  /** Without what moves the cursor. */
  const shown = () => stripVTControlCharacters(observed.printed())
  return {
    commandContext: { ...observed, stdin },
    /** Whether keys were read one by one, each time that this changed. */
    modes,
    shown,
    /** Types keys once that text shows, behind what was waited for before. */
    typeAfter: async (text: string, keys: string): Promise<void> => {
      while (!shown().includes(text, seen)) await setImmediate()
      seen = shown().indexOf(text, seen) + text.length
      stdin.write(keys)
    },
    /** Ends the input. */
    hangUp: () => void stdin.end(),
  }
}
