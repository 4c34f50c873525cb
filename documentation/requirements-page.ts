/** docs/requirements.md: one line for each requirement, with the files that judge it. */
import { levels } from '../specs/outcomes.ts'
import { type Requirement, requirements } from '../specs/requirements.ts'
import { declaredChecks } from '../suites/declared-checks.ts'
import { anchor, code, page, prose, table } from './markdown.ts'

const levelTexts: Readonly<Record<Requirement['level'], string>> = {
  must: 'the contract says it; makes the verdict',
  implied: 'follows from what the contract says; makes the verdict',
  advice: 'good practice; a warning, unless `--fail-on advice`',
  'must (profile)': 'the profile says it; reported apart, unless `--fail-on profile`',
}

/** The whole page. */
export async function requirementsPage(): Promise<string> {
  const files = new Map<string, Set<string>>()
  const checks = await declaredChecks()
  for (const { file, definition } of checks)
    files.set(definition.requirement, (files.get(definition.requirement) ?? new Set()).add(file))
  const rows = requirements.map(({ id, level, section, text }) => [
    `${anchor(id)}${code(id)}`,
    level,
    section,
    prose(text),
    [...(files.get(id) ?? [])].map((file) => `\`${file}\``).join(', '),
  ])
  return page([
    '# Requirements',
    `The contract as ${requirements.length} sentences, judged by ${checks.length} checks. The ids are stable: reports, waivers and
\`--requirement\` use them. \`portal-conformance requirements\` prints them with their checks as a table or as JSON;
\`run --dry-run --config FILE\` shows which of them a run can judge on your deployment. What the contract leaves open is
never judged: [open points](profiles.md#open-points).`,
    table(
      ['level', 'meaning', 'requirements'],
      levels.map((level) => [
        level,
        levelTexts[level],
        String(requirements.filter((each) => each.level === level).length),
      ]),
    ),
    table(['requirement', 'level', '§', 'sentence', 'judged in'], rows),
  ])
}
