/** Lets only so many things go on at once, in the order in which they come. */
import { remembered } from './remembered.ts'

export class Lanes {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(width: number) {
    this.#free = Math.max(1, width)
  }

  async run<T>(what: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await what()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

const known = new WeakMap<object, Lanes>()

/** The lanes that belong to an owner, made when first asked for. */
export function lanesOf(owner: object, width: number): Lanes {
  return remembered(known, owner, () => new Lanes(width))
}
