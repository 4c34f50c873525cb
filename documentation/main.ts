/** Writes what is checked in and generated: `npm run generate`. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { suiteVersion } from '../deployment/suite-version.ts'
import { openapiDocument } from '../schemas/openapi/document.ts'
import { type Manifest, manifestAfter, operationSchema, realisticValues } from './generated-json.ts'
import { pages, pagesWithTable, withTable } from './pages.ts'

const built = new URL('../', import.meta.url)
const project = new URL('../', built)

async function write(file: string, text: string, root = project): Promise<void> {
  await writeFile(new URL(file, root), text)
  if (root === project) process.stdout.write(`${file}\n`)
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`

const schema = 'schemas/operation.schema.json'
await write(schema, json(operationSchema()))
// The pages are made from the schemas that the build copied.
await write(schema, json(operationSchema()), built)

const manifest = 'runner/manifest.json'
const earlier = JSON.parse(readFileSync(new URL(manifest, project), 'utf8')) as Manifest
await write(manifest, json(await manifestAfter(earlier)))

await write('runner/cases/realistic-values.json', json(realisticValues()))

await write('specs/openapi.json', json(openapiDocument(suiteVersion)))

for (const { file, render } of pages) await write(`docs/${file}`, await render())

for (const page of pagesWithTable) {
  const file = `docs/${page.file}`
  await write(file, await withTable(readFileSync(new URL(file, project), 'utf8'), page))
}
