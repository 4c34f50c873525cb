/** A terminal for tests: types keys, and records the screen. */
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { observedContext } from '../process/command-context.fixture.ts'

export function typedTerminal() {
  const observed = observedContext()
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  let seen = 0
  /** The output so far, without control sequences. */
  const shown = () => stripVTControlCharacters(observed.printed())
  return {
    commandContext: { ...observed, stdin },
    shown,
    /** Types keys once the text appears, after the text of the last call. */
    typeAfter: async (text: string, keys: string): Promise<void> => {
      while (!shown().includes(text, seen)) await setImmediate()
      seen = shown().indexOf(text, seen) + text.length
      stdin.write(keys)
    },
  }
}
