/** The part of the style sheet for findings: grounds, exchanges, commands, lines of time. */
export const evidenceStyle = `.finding{margin-top:1rem;padding:1rem 1.1rem;border:1px solid var(--line);border-top:3px solid var(--strong);border-radius:4px;scroll-margin-top:7rem}
.finding h6{font-size:1.02rem;overflow-wrap:anywhere}
.finding h6 .o{background:var(--tint);border-radius:4px;padding:.1rem .5rem .1rem .25rem;margin-right:.35rem}
.which{color:var(--muted);font-size:.9rem;margin-top:.15rem;overflow-wrap:anywhere}
.grounds{margin-top:.75rem}
.grounds>div{display:grid;grid-template-columns:8rem 1fr;gap:0 1rem;padding:.25rem 0}
.grounds dt,.label{color:var(--muted);font-size:.86rem;line-height:1.6rem}
.grounds dd{overflow-wrap:anywhere;min-width:0}
.grounds pre{background:var(--wash);border-radius:4px;padding:.5rem .7rem}
.exchange{display:grid;grid-template-columns:1fr 1fr;gap:1px;margin-top:1rem;background:var(--line);border:1px solid var(--line);border-radius:4px;overflow:hidden}
.side{background:var(--paper);padding:.6rem .85rem .85rem;min-width:0}
.side .label{font-weight:600;color:var(--ink)}
.side .label small{font-weight:400}
.side pre{max-height:26rem;overflow:auto;margin-top:.4rem}
.side pre code{white-space:pre-wrap}
.line{overflow-wrap:anywhere;font-size:.93rem}
.form{margin-top:.4rem}
.form>div{padding:.15rem 0;border-top:1px dotted var(--line)}
.form dt{font-size:.86rem;color:var(--muted);overflow-wrap:anywhere}
.form dd{overflow-wrap:anywhere;white-space:pre-wrap}
.headers{margin-top:.25rem;font-size:.9rem}
.headers summary,.earlier>summary{color:var(--muted);width:max-content;max-width:100%;font-size:.9rem}
.earlier{margin-top:.5rem}
.command{display:grid;grid-template-columns:3.5rem 1fr auto;gap:.75rem;align-items:start;margin-top:.5rem;padding:.35rem .35rem .35rem .85rem;background:var(--wash);border-radius:4px}
.command code{padding-block:.25rem .5rem;max-height:9.25rem;overflow:auto}
.command .label{line-height:2rem}
.copy{min-height:2rem;padding-block:.1rem;min-width:5.2rem;background:var(--paper)}
.timeline{margin-top:1rem}
.timeline figcaption{color:var(--muted);font-size:.86rem}
.timeline svg{display:block;margin-top:.35rem;overflow:hidden}
.timeline text{font-size:12px;fill:var(--ink)}
.timeline .tick{fill:var(--muted);font-size:11px}
.timeline .grid{stroke:var(--line);stroke-width:1}
.timeline .answered{fill:var(--passed)}
.timeline .error{fill:var(--failed)}
.timeline .unanswered{fill:none;stroke:var(--inconclusive);stroke-dasharray:4 3}
@media screen and (max-width:50rem){
.exchange,.grounds>div{grid-template-columns:1fr}
.finding{padding:.75rem}
.command{grid-template-columns:1fr auto}
.command code{grid-column:1/-1;grid-row:2}
}
`
