/** Lets only so many things go on at once, in the order in which they come. */
import { remembered } from './remembered.ts'

export class Lanes {
  readonly #width: number
  #free: number
  readonly #waiting: { readonly lanes: number; readonly begin: () => void }[] = []

  constructor(width: number) {
    this.#width = Math.max(1, width)
    this.#free = this.#width
  }

  /** `wide`: how many lanes it takes; all there are where there are fewer. */
  async run<T>(what: () => Promise<T>, wide = 1): Promise<T> {
    const lanes = Math.min(wide, this.#width)
    if (this.#waiting.length === 0 && lanes <= this.#free) this.#free -= lanes
    else await new Promise<void>((begin) => this.#waiting.push({ lanes, begin }))
    try {
      return await what()
    } finally {
      this.#free += lanes
      this.#begin()
    }
  }

  /** Those that waited longest, as long as there is room for the next. */
  #begin(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.lanes <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift()
      this.#free -= next.lanes
      next.begin()
    }
  }
}

/** Lets what is asked of one thing go on one after the other: what a deployment does with two edits of it at once is open. */
export class OneByOne {
  readonly #lanes = new Map<string, Lanes>()

  run<T>(key: string, what: () => Promise<T>): Promise<T> {
    return remembered(this.#lanes, key, () => new Lanes(1)).run(what)
  }
}
