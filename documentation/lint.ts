/** Part of `npm run lint`: fails for phrases that read as translated, in code, documents and messages. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isChecked, phrasesIn } from './phrases.ts'

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(isChecked)
const found = files.flatMap((file) => phrasesIn(readFileSync(file, 'utf8')).map((hit) => ({ ...hit, file })))
for (const { file, line, found: phrase, instead } of found)
  process.stdout.write(`${file}:${line}: "${phrase}": write ${instead}\n`)
process.stdout.write(`phrases: ${found.length} in ${files.length} files\n`)
if (found.length > 0) process.exitCode = 1
