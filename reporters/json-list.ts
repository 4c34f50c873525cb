/** A long list in JSON, item by item. */

/** The items with commas between them, one a line; what stands around them is the caller's. */
export function* jsonList(items: Iterable<unknown>): Generator<string> {
  let first = true
  for (const item of items) {
    yield `${first ? '' : ','}\n${JSON.stringify(item)}`
    first = false
  }
}
