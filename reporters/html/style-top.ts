/** The part of the style sheet for the top of the page and the two matrices. */
export const topStyle = `.top{padding-top:1.25rem}
.brand{display:flex;align-items:center;justify-content:space-between;gap:1rem;color:var(--muted);font-size:.9rem}
.brand button{min-height:2rem;padding-block:.1rem}
.brand button::before{content:"\\25D1";margin-right:.4em}
.verdict{display:flex;align-items:flex-start;gap:1rem;margin-top:.75rem;padding:1.1rem 1.25rem;background:var(--tint);border-left:.35rem solid var(--strong);border-radius:4px}
.verdict>i{font-size:1.9rem;line-height:1.2;font-weight:700;color:var(--strong)}
.verdict h1{font-size:1.9rem;line-height:1.2;font-weight:700;letter-spacing:-.02em;color:var(--strong)}
.verdict p{margin-top:.15rem;font-size:1.05rem}
.facts{display:flex;flex-wrap:wrap;gap:.6rem 2.25rem;margin-top:1.25rem}
.facts dt{font-size:.8rem;color:var(--muted)}
.facts dd{overflow-wrap:anywhere}
.totals{margin-top:1.75rem}
.totals h2{font-size:1rem}
.bar{display:block;margin-top:.5rem;border-radius:3px;background:var(--wash)}
.bar rect{fill:var(--strong)}
.counts{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.35rem;margin-top:.6rem}
.counts a{display:block;padding:.3rem .7rem;border-radius:6px;background:var(--tint);color:var(--strong);text-decoration:none}
.counts a:hover{text-decoration:underline}
.counts b{font-size:1.05rem}
.counts .none a{background:none;color:var(--muted)}
body>nav{margin-top:1.5rem}
body>nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.95rem}
body>nav a{padding-block:.2rem}
.notice{margin-top:.4rem;padding:.55rem 1rem;background:var(--warned-wash);border-left:.25rem solid var(--warned);border-radius:4px;overflow-wrap:anywhere}
.notice.failed{background:var(--tint);border-color:var(--strong)}
.notice ul{padding-left:1.2rem;margin-top:.4rem}
main>.notice:first-child{margin-top:1.75rem}
.found{list-style:none;padding:0;margin-top:.75rem;border-top:1px solid var(--line)}
.found li{display:grid;grid-template-columns:9rem 1fr;gap:.25rem 1rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
.found p{overflow-wrap:anywhere;max-width:80ch}
.found .sentence{font-weight:600}
.where{font-size:.9rem;color:var(--muted);margin-top:.15rem;overflow-wrap:anywhere}
.scroll{position:relative;overflow-x:auto;margin-top:.85rem;border-radius:4px}
.matrix{border-collapse:separate;border-spacing:2px;width:100%;min-width:56rem;table-layout:fixed;font-size:.9rem;line-height:1.35}
.matrix th{font-weight:600;text-align:left;vertical-align:bottom;padding:.35rem .5rem}
.matrix th:first-child{padding-left:0;width:13rem}
.matrix tbody th{vertical-align:middle;position:sticky;left:0;background:var(--paper);overflow-wrap:anywhere}
.matrix thead th::first-letter,.kind h4::first-letter{text-transform:uppercase}
.matrix thead th{color:var(--muted);font-weight:500;font-size:.86rem}
.matrix td{background:var(--tint);color:var(--strong);border-radius:3px;padding:.45rem .5rem;vertical-align:top}
.matrix td:has(a){padding:0}
.matrix td a{display:block;padding:.45rem .5rem;color:inherit;text-decoration:none;border-radius:3px;height:100%}
.matrix td a:hover{text-decoration:underline}
.matrix td small{color:inherit;display:inline-block}
.matrix td.empty{background:none}
.matrix.roles th small{display:block}
.allowed{--strong:var(--ink);--tint:var(--wash)}
.refused{--strong:var(--ink);--tint:var(--wash)}
.unseen{--strong:var(--muted);--tint:transparent}
.wrong{color:var(--strong)}
@media screen and (max-width:40rem){
.found li{grid-template-columns:1fr}
.matrix th:first-child{width:7.5rem}
.matrix{min-width:54rem}
}
`
