/** The looks of the page: light and dark, narrow and printed. It says of itself what may be loaded: nothing. */
import { createHash } from 'node:crypto'

export const style = `
:root { color-scheme: light dark; --text: #1b1b1f; --quiet: #55565e; --line: #c9cad2; --ground: #ffffff;
  --raised: #f4f4f7; --good: #11682b; --bad: #a8101b; --unsure: #7a2f9a; --warn: #7a5200; --info: #0b5c86; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8ec; --quiet: #a9aab4; --line: #44454f;
  --ground: #17171b; --raised: #222229; --good: #6fd58c; --bad: #ff8f8f; --unsure: #d7a1f2; --warn: #eac26a;
  --info: #7cc6ef; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 90rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--ground); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
.sentence { font-size: 1.1rem; font-weight: 600; }
.note { border-left: .25rem solid var(--warn); padding: .25rem .75rem; background: var(--raised); margin: .5rem 0; }
.quiet { color: var(--quiet); }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { background: var(--raised); }
tbody th { font-weight: 500; min-width: 12rem; }
.outcome { white-space: nowrap; overflow-wrap: normal; }
.good { color: var(--good); } .bad { color: var(--bad); } .unsure { color: var(--unsure); }
.warn { color: var(--warn); } .info { color: var(--info); }
summary { cursor: pointer; padding: .25rem 0; }
ul { margin: 0; padding-left: 1.2rem; }
@media (max-width: 40rem) {
  .changes thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .changes tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .changes th, .changes td { display: block; border: 0; padding: .1rem .6rem; }
  .changes td[data-side]::before { content: attr(data-side) ": "; color: var(--quiet); }
}
@media print { .table { overflow: visible; } body { max-width: none; } }
`

/** No script, no address, no style but ours. */
export const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`
