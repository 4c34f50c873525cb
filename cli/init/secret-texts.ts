/** Texts that may be secrets: `init` neither writes nor repeats them. */

const shortestSecret = 16

/** Whether letters and digits are mixed as in a token, unlike in names of variables and words. */
export function looksLikeSecret(text: string): boolean {
  return text.split(/[\s"'=,;:/]+/).some(isSecretWord)
}

function isSecretWord(word: string): boolean {
  if (word.length < shortestSecret || word.startsWith('$')) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^A-Za-z]/g, '').length
  const plainName = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(word) && digits * 4 <= letters
  const words = /^[A-Za-z]+([._-][A-Za-z]+)*[._-]?\d{0,4}$/.test(word)
  return digits > 0 && letters > 0 && !plainName && !words
}

/** Whether the text can name an environment variable and does not look like a secret. */
export function namesVariable(text: string, environment: NodeJS.ProcessEnv): boolean {
  if (!/^[A-Za-z_]\w*$/.test(text)) return false
  return environment[text] !== undefined || !looksLikeSecret(text)
}
