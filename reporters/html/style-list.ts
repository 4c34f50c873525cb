/** The part of the style sheet for the list of requirements and the lists below it. */
export const listStyle = `#filter{display:grid;grid-template-columns:minmax(12rem,2fr) repeat(4,minmax(7rem,1fr)) auto;gap:.5rem .75rem;align-items:end;margin-top:.85rem;padding:.75rem;background:var(--wash);border-radius:6px;position:sticky;top:0;z-index:1}
#filter label{display:block;font-size:.8rem;color:var(--muted)}
#filter :is(input,select){width:100%}
.hits{text-align:right;white-space:nowrap;min-width:8.5rem}
.hits output{display:block;font-size:.86rem;color:var(--muted)}
#filter:not(.narrowed) .hits output{line-height:2.25rem}
#filter:not(.narrowed) .reset{display:none}
p.none{margin-top:1.5rem}
.operation{margin-top:2rem}
.operation h3{border-bottom:1px solid var(--ink);padding-bottom:.3rem}
.kind h4{font-size:.86rem;font-weight:500;color:var(--muted);margin-top:.9rem}
.kind,.operation,#list,.reasons h3{scroll-margin-top:6rem}
.req{position:relative;border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 3.6rem;scroll-margin-top:6rem}
.req>details>summary{display:grid;grid-template-columns:9.25rem 1fr auto;gap:0 1rem;padding:.5rem 2.25rem .5rem .25rem;list-style:none}
.req>details>summary::-webkit-details-marker{display:none}
.req>details>summary:focus-visible{outline-offset:-2px}
.req>details>summary:hover{background:var(--wash)}
.req h5{font:.9rem/1.6 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-weight:600;overflow-wrap:anywhere}
.req summary>small{line-height:1.6rem}
.req summary>span:last-child{grid-column:2/-1;color:var(--muted);max-width:85ch;overflow-wrap:anywhere}
.req>details[open]>summary{background:var(--wash)}
.req.failed>details>summary{box-shadow:inset 3px 0 var(--strong)}
.req.failed>details>summary{padding-left:.75rem;grid-template-columns:8.75rem 1fr auto}
.req:has(.finding)>details[open]>summary>span:last-child{display:none}
.req:has(.finding) .body{padding-left:.75rem}
.permalink{position:absolute;top:.35rem;right:0;padding:.15rem .6rem;color:var(--muted);text-decoration:none}
.permalink:hover{color:var(--link)}
.body{padding:.5rem .25rem 1.5rem 10.5rem;scroll-margin-top:9rem}
.meta{color:var(--muted);font-size:.9rem;overflow-wrap:anywhere}
blockquote{padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--line);max-width:80ch}
blockquote p:first-child{font-size:1.05rem}
.checks{list-style:none;padding:0;margin-top:.5rem;font-size:.93rem}
.checks li{padding:.15rem 0;overflow-wrap:anywhere;scroll-margin-top:8rem}
.same{font-size:.93rem;padding:.15rem 0;overflow-wrap:anywhere;scroll-margin-top:8rem}
#untested~h3,.reasons+h3{margin-top:1.25rem}
main section>h3{margin-top:1rem}
.reasons{list-style:none;padding:0}
.reasons li{padding:.5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.reasons summary{width:max-content}
.observed{margin-top:.75rem;border-top:1px solid var(--line)}
.observed>div{display:grid;grid-template-columns:minmax(12rem,2fr) 3fr;gap:.2rem 2rem;padding:.55rem 0;border-bottom:1px solid var(--line)}
.observed :is(dt,dd){overflow-wrap:anywhere}
@media screen and (max-width:62rem){
#filter{grid-template-columns:repeat(4,1fr)}
#filter .wide{grid-column:1/4}
.hits{grid-column:4;grid-row:1}
.body{padding-left:1rem}
}
@media screen and (max-width:40rem){
#filter{position:static;grid-template-columns:1fr 1fr}
#filter .wide,.hits{grid-column:1/-1;grid-row:auto}
.hits{display:flex;justify-content:space-between;align-items:center}
.req>details>summary,.req.failed>details>summary{grid-template-columns:1fr auto}
.req h5{grid-column:1/-1;grid-row:2}
.req summary>span:last-child{grid-column:1/-1}
.body{padding:.5rem 0 1.25rem}
.observed>div{grid-template-columns:1fr}
.kind,.operation,#list,.req,.body,.checks li,.same,.finding{scroll-margin-top:1rem}
}
`
