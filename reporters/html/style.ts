/** How the page looks. One style sheet; its parts by subject. */
import { palette } from './palette.ts'
import { evidenceStyle } from './style-evidence.ts'
import { listStyle } from './style-list.ts'
import { printStyle } from './style-print.ts'
import { topStyle } from './style-top.ts'

const base = `*,*::before,*::after{box-sizing:border-box}
html{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font-variant-numeric:tabular-nums}
body>header,body>nav,main,footer{max-width:76rem;margin-inline:auto;padding-inline:clamp(1rem,3vw,2.5rem)}
h1,h2,h3,h4,h5,h6,p,ul,ol,dl,dd,figure,blockquote,pre{margin:0}
h2{font-size:1.25rem;line-height:1.3;font-weight:650;letter-spacing:-.01em}
h3{font-size:1.05rem;line-height:1.35;font-weight:650}
h4,h5,h6{font-size:1rem;font-weight:600}
small{font-size:.86em;color:var(--muted);font-weight:400}
code,pre{font:.87em/1.5 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere;unicode-bidi:isolate}
pre{white-space:pre-wrap}
pre code{font-size:1em}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em;overflow-wrap:anywhere}
i{font-style:normal}
em{color:var(--muted)}
mark{background:var(--mark);color:var(--on-mark);border-radius:2px;padding:0 .15em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
mark *{color:inherit}
button,input,select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:.3rem .6rem;min-height:2.25rem;max-width:100%}
button{cursor:pointer;background:var(--wash)}
button:hover{border-color:var(--muted)}
summary{cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
[hidden]{display:none!important}
.away,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:fixed;z-index:2;top:.5rem;left:.5rem;background:var(--paper);padding:.5rem 1rem;border:1px solid var(--line);border-radius:6px}
main>section{margin-top:3rem}
.lead{color:var(--muted);margin-top:.25rem;max-width:95ch}
.o{color:var(--strong);font-weight:600;white-space:nowrap}
.o i{display:inline-block;width:1.05em;text-align:center}
footer{margin-top:3.5rem;padding-block:1.25rem 2.5rem;color:var(--muted);font-size:.9rem}
footer p{border-top:1px solid var(--line);padding-top:1.25rem;max-width:none}
html:not(.js) :is(#theme,#filter,.copy,.reset){display:none}
`

export const style = [palette, base, topStyle, listStyle, evidenceStyle, printStyle].join('')
