/** The colours of the page, light and dark. Each text stands at least 4.5 to 1 against what it is written on. */
import type { Outcome } from '../../specs/outcomes.ts'

type Colours = Readonly<
  Record<'paper' | 'wash' | 'ink' | 'muted' | 'line' | 'link' | 'mark' | 'on-mark', string>
>

/** Of an outcome: text and drawn shapes; what the text is written on. */
type Pair = readonly [strong: string, wash: string]

const light: Colours = {
  paper: '#ffffff',
  wash: '#f5f7f9',
  ink: '#1a1f26',
  muted: '#545d68',
  line: '#d5dbe2',
  link: '#0a4f9e',
  mark: '#ffe07a',
  'on-mark': '#1a1f26',
}

const dark: Colours = {
  paper: '#11151a',
  wash: '#191f26',
  ink: '#e4e8ed',
  muted: '#9ca7b4',
  line: '#2d353f',
  link: '#82b8ff',
  mark: '#6a5200',
  'on-mark': '#fff2bf',
}

const lightOutcomes: Record<Outcome, Pair> = {
  passed: ['#17633a', '#e8f5ec'],
  failed: ['#a8122a', '#fdebed'],
  warned: ['#7a4a00', '#fdf1d8'],
  inconclusive: ['#6237a6', '#f2ecfc'],
  'not-tested': ['#34506e', '#e8eef5'],
  'not-applicable': ['#545d68', '#f1f3f5'],
  waived: ['#6a5400', '#f6f0d6'],
}

const darkOutcomes: Record<Outcome, Pair> = {
  passed: ['#74cf95', '#13291c'],
  failed: ['#ff9aa5', '#3b161c'],
  warned: ['#efc065', '#32260d'],
  inconclusive: ['#c8abff', '#281e3c'],
  'not-tested': ['#a6bfda', '#1b2836'],
  'not-applicable': ['#9ca7b4', '#1d232a'],
  waived: ['#d8c579', '#2c2710'],
}

function variables(colours: Colours, pairs: Record<Outcome, Pair>, scheme: string): string {
  const plain = Object.entries(colours).map(([name, colour]) => `--${name}:${colour}`)
  const ofOutcomes = Object.entries(pairs).flatMap(([name, [strong, wash]]) => [
    `--${name}:${strong}`,
    `--${name}-wash:${wash}`,
  ])
  return [`color-scheme:${scheme}`, ...plain, ...ofOutcomes].join(';')
}

const lightVariables = variables(light, lightOutcomes, 'light')
const darkVariables = variables(dark, darkOutcomes, 'dark')

const outcomeClasses = Object.keys(lightOutcomes)
  .map((name) => `.${name}{--strong:var(--${name});--tint:var(--${name}-wash)}`)
  .join('\n')

/** Light unless the reader prefers dark; what was chosen in the page goes before; paper is light. */
export const palette = `:root{${lightVariables}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${darkVariables}}}
@media screen{:root[data-theme=dark]{${darkVariables}}}
${outcomeClasses}
`
