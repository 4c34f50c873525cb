/** undici, loaded with the first connection: commands that send nothing start faster without it. */
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

export const undici = (): typeof import('undici') => load('undici')
