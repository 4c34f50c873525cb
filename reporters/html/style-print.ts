/** The part of the style sheet for paper: what failed is open, what only works on a screen is left out. */
export const printStyle = `@media print{
html{font-size:10px}
@page{margin:14mm 12mm}
body>header,body>nav,main,footer{max-width:none;padding-inline:0}
#filter,body>nav,.copy,.permalink,#theme,.skip,.reset{display:none!important}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
a{color:inherit;text-decoration:none}
main>section{margin-top:1.5rem}
.req{content-visibility:visible;break-inside:avoid-page}
.req.failed{break-inside:auto}
.req.failed>details::details-content,.notice>details::details-content{content-visibility:visible;display:block;block-size:auto}
.req>details>summary,.req.failed>details>summary{grid-template-columns:8rem 1fr auto;padding-right:0}
.req:has(.finding) .body,.body{padding-left:1rem}
.scroll{overflow:visible}
.matrix{min-width:0}
.matrix th:first-child{width:9rem}
.matrix tbody th{position:static}
.side pre,.command code{max-height:none;overflow:visible}
h2,h3,h4,summary,.finding h6,.label{break-after:avoid}
.found li,.command,.reasons li,.observed>div,.timeline{break-inside:avoid}
}
`
