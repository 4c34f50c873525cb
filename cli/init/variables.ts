/** The environment variables that a configuration takes something from. */
import { parseDocument, visit } from 'yaml'

/** Their names, each once, in the order of the file; what stands in comments does not count. */
export function variablesIn(text: string): string[] {
  const names = new Set<string>()
  visit(parseDocument(text), {
    Scalar: (_, { value }) => {
      if (typeof value !== 'string') return
      for (const [, name] of value.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)) names.add(name as string)
    },
  })
  return [...names]
}
