/** Every command that README.md and docs/ show is run as a user runs it, and ends as the document says. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandFolder, EarlierResults, justInstalled } from './documentation-folder.fixture.ts'
import { DocumentShell } from './documentation-shell.fixture.ts'
import { type ShownBlock, type ShownLine, shownBlocks } from './documented-commands.fixture.ts'
import { documents, missingHere, notRun, plainCommands } from './documented-commands.table.fixture.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = ['README.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)
const blocks = names.flatMap((name) => shownBlocks(name, readFileSync(root + name, 'utf8')))
const commandOf = /^(?:[A-Z_]+=\S+ )*(npx )?portal-conformance |^python3 |^export \w+=/
const runnable = ({ command }: ShownLine): boolean => commandOf.test(command) || plainCommands.test(command)

/** A document that tells a story is one block. */
const toRun: ShownBlock[] = names.flatMap((name) => {
  const own = blocks
    .filter(({ document }) => document === name)
    .map((block) => ({ ...block, lines: block.lines.filter(runnable) }))
    .filter(({ lines }) => lines.length > 0)
  if (documents[name]?.story !== true) return own
  return [{ document: name, at: 1, lines: own.flatMap(({ lines }) => lines) }]
})

/** So many blocks are run side by side. */
const atOnce = 4
/** A story that judges several times waits long on a machine that is busy. */
const patienceMs = 180_000
let commands: string
let earlier: EarlierResults | undefined
const outcomes = new Map<ShownBlock, Promise<string[]>>()

beforeAll(async () => {
  commands = commandFolder()
  earlier = await EarlierResults.make()
  const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve())
  for (const [at, block] of toRun.entries()) {
    const outcome = (lanes[at % atOnce] as Promise<unknown>)
      .then(() => wrongIn(block))
      .catch((error: Error) => [`${block.document}:${block.at}: ${error.stack}`])
    lanes[at % atOnce] = outcome
    outcomes.set(block, outcome)
  }
})

afterAll(() => {
  rmSync(commands, { recursive: true, force: true })
})

/** The lines of the block that do not end as they say. The first ends the block: what follows may need it. */
async function wrongIn({ document, lines }: ShownBlock): Promise<string[]> {
  const { story, files } = documents[document] ?? {}
  const folder = story === true ? justInstalled() : await (earlier as EarlierResults).prepare(files)
  const shell = new DocumentShell(folder.path, commands)
  try {
    for (const line of lines) {
      const wrong = await shell.run(line)
      if (wrong !== undefined) return [`${document}:${line.at}: ${line.command}: ${wrong}`]
    }
    return []
  } finally {
    await shell.end()
    await folder.remove()
  }
}

describe('the commands of the documents', () => {
  const lackOf = ({ lines }: ShownBlock) => lines.map(({ command }) => missingHere(command)).find(Boolean)

  for (const block of toRun) {
    const lack = lackOf(block)
    const title = `${block.document}:${block.at} ${block.lines[0]?.command}`
    it.skipIf(lack !== undefined)(
      lack === undefined ? title : `${title} (${lack})`,
      async () => {
        expect(await outcomes.get(block)).toEqual([])
      },
      patienceMs,
    )
  }

  it('are all run, or listed with the reason why not', () => {
    const unknown = blocks.flatMap(({ document, lines }) =>
      lines
        .filter((line) => !runnable(line) && !notRun.some(({ command }) => command.test(line.command)))
        .map(({ at, command }) => `${document}:${at}: ${command}`),
    )
    expect(unknown).toEqual([])
  })

  it('need every entry of the tables', () => {
    const all = blocks.flatMap(({ lines }) => lines.map(({ command }) => command))
    expect(notRun.filter(({ command }) => !all.some((line) => command.test(line)))).toEqual([])
    expect(Object.keys(documents).filter((name) => !names.includes(name))).toEqual([])
  })
})
