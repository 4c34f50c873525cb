/** Random numbers that are the same for the same seed. Pure. */
import { numbersFrom } from '../runner/seeds.ts'

/** Numbers from 0 up to 1. */
export function randomFrom(seed: number): () => number {
  const number = numbersFrom(seed)
  return () => number() / 2 ** 32
}

/** The same values in a random order (Fisher-Yates). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1))
    ;[order[last], order[at]] = [order[at] as T, order[last] as T]
  }
  return order
}
