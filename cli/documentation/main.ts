/** Writes the generated pages of the documentation: `npm run docs`. */
import { writeFile } from 'node:fs/promises'
import { pages } from './pages.ts'

const folder = new URL(import.meta.url.endsWith('.ts') ? '../../docs/' : '../../../docs/', import.meta.url)

for (const { file, render } of pages) {
  await writeFile(new URL(file, folder), await render())
  process.stdout.write(`docs/${file}\n`)
}
