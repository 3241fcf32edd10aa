/** How status pages look, beside what all pages have in common. */
import { BASE_STYLE } from '../base-style.ts'

export const STATUS_STYLE = `${BASE_STYLE}header{background:var(--header-background-color);color:var(--header-font-color);border-bottom:1px solid var(--border-color)}
header .wrap{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;justify-content:space-between;padding-block:16px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;margin:0;padding:0;list-style:none}
nav a{color:var(--navigation-font-color)}
nav a.button{color:var(--primary-button-font-color)}
.overall{border-left-width:6px}
.overall h1{margin:0}
.overall.good{border-left-color:var(--good)}.overall.some{border-left-color:var(--some)}.overall.bad{border-left-color:var(--bad)}.overall.planned{border-left-color:var(--planned)}
.row{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;align-items:baseline}
.card h2{margin:0}
.box>h2:first-child{font-size:16px;margin-top:0}
.services,.incidents,.days{list-style:none;margin:0;padding:0}
.services>li{padding-top:16px}
.services h3{margin:0;font-weight:600}
.field{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0}
.field input{flex:1 1 220px;max-width:400px}
input,button{font:inherit;min-height:40px;border-radius:6px;padding:4px 12px}
input{color:var(--body-font-color);background:var(--body-background-color);border:1px solid var(--body-font-color-muted)}
button{border:1px solid transparent;cursor:pointer;background:var(--primary-button-background-color);color:var(--primary-button-font-color)}
input[aria-invalid]{border-color:var(--bad)}
.problem{color:var(--bad);font-weight:600}
input:focus-visible,button:focus-visible{outline:2px solid var(--link-font-color);outline-offset:2px}
.pages{display:flex;gap:16px}
`
