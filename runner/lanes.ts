/** Limits how many things run at once, first come, first served. */
import { remembered } from './remembered.ts'

export class Lanes {
  readonly #width: number
  #free: number
  readonly #waiting: { readonly lanes: number; readonly begin: () => void }[] = []

  constructor(width: number) {
    this.#width = Math.max(1, width)
    this.#free = this.#width
  }

  /** `wide`: how many lanes it takes, at most all of them. */
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

  /** Starts those that waited longest while there is room. */
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

/** Runs actions on the same thing one after the other. What a deployment does with two edits at once is open. */
export class OneByOne {
  readonly #lanes = new Map<string, Lanes>()

  run<T>(key: string, what: () => Promise<T>): Promise<T> {
    return remembered(this.#lanes, key, () => new Lanes(1)).run(what)
  }
}
