/** The things that exist because of a run, in memory. */
import type { Thing } from './entries.ts'

/** A thing of the run has a name of its own; one that was handed out has an id only. */
const keyOf = ({ kind, name, id }: Thing): string => JSON.stringify([kind, name ?? id])

export class Things {
  readonly #things = new Map<string, Thing>()

  /** In the order in which they were made. */
  get all(): Thing[] {
    return [...this.#things.values()]
  }

  /** The run is about to make or use the thing, or knows more about a thing of that name. */
  add(thing: Thing): void {
    this.remember(thing)
  }

  gone(thing: Thing): void {
    this.#things.delete(keyOf(thing))
  }

  protected remember(thing: Thing): void {
    this.#things.set(keyOf(thing), thing)
  }
}
