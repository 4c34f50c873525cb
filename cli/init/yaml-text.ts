/** Texts as YAML writes them in one line, within braces too. */
import { parse } from 'yaml'

/** Plain where it reads back as it is, else in quotes. */
export function inYaml(text: string): string {
  const plain = /^[A-Za-z][\w./:-]*[\w/-]$/.test(text) && parse(text) === text
  return plain ? text : JSON.stringify(text)
}

/** How a configuration takes something from the environment. */
export const fromEnvironment = (variable: string): string => `\${${variable}}`
