/** The library that connections are made with, loaded for the first of them: much of what sends nothing would wait for it in vain. */
import { createRequire } from 'node:module'

type Undici = typeof import('undici')

const load = createRequire(import.meta.url)
let loaded: Undici | undefined

export function undici(): Undici {
  loaded ??= load('undici') as Undici
  return loaded
}
