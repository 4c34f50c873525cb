/** Things that are made ahead, at the same time, and handed out one by one. */
export class Stock<Thing> {
  readonly #make: () => Promise<Thing>
  readonly #ready: Promise<Thing>[] = []

  constructor(make: () => Promise<Thing>) {
    this.#make = make
  }

  /** Makes that many. Resolves when all have ended; an error shows when the thing is taken. */
  async ahead(count: number, made: () => void): Promise<void> {
    const all = Array.from({ length: count }, () => this.#make())
    for (const each of all) {
      each.catch(() => undefined)
      this.#ready.push(each)
    }
    await Promise.allSettled(all.map((each) => each.then(made)))
  }

  /** A thing that was made ahead, or else a new one. */
  async take(): Promise<Thing> {
    for (;;) {
      const ready = this.#ready.shift()
      if (ready === undefined) return this.#make()
      const [ended] = await Promise.allSettled([ready])
      if (ended.status === 'fulfilled') return ended.value
    }
  }
}
