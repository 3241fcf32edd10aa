/** How status pages look. Colours come from the theme alone. */
export const STATUS_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:var(--body-background-color);color:var(--body-font-color);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link-font-color)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link-font-color);outline-offset:2px}
.wrap{max-width:860px;margin-inline:auto;padding-inline:16px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:16px;top:8px;background:var(--card-background-color);padding:4px 8px}
header{background:var(--header-background-color);color:var(--header-font-color);border-bottom:1px solid var(--border-color)}
header .wrap{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;justify-content:space-between;padding-block:16px}
.brand{display:inline-flex;align-items:center;gap:12px;color:inherit;text-decoration:none;font-size:20px;font-weight:600}
.brand img{display:block;height:40px;max-width:200px;object-fit:contain}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;margin:0;padding:0;list-style:none}
nav a{color:var(--navigation-font-color)}
nav a.button{display:inline-block;padding:4px 12px;border-radius:6px;text-decoration:none;background:var(--primary-button-background-color);color:var(--primary-button-font-color)}
main{padding-block:24px}
h1,h2,h3{color:var(--title-font-color);line-height:1.3;margin:0 0 8px}
h1{font-size:26px}h2{font-size:20px;margin-top:32px}h3{font-size:16px}
p{margin:0 0 8px}
.text{white-space:pre-wrap}
.muted,.muted a,footer{color:var(--body-font-color-muted)}
.small,footer{font-size:14px}
.box{background:var(--card-background-color);border:1px solid var(--border-color);border-radius:8px;padding:16px;margin:0 0 16px}
.overall{border-left-width:6px}
.overall h1{margin:0}
.overall.good{border-left-color:var(--good)}.overall.some{border-left-color:var(--some)}.overall.bad{border-left-color:var(--bad)}.overall.planned{border-left-color:var(--planned)}
.row{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;align-items:baseline}
.card h2{margin:0}
.box>h2:first-child{font-size:16px;margin-top:0}
.services,.incidents,.updates,.days{list-style:none;margin:0;padding:0}
.services>li{padding-top:16px}
.services h3{margin:0;font-weight:600}
b.good{color:var(--good)}b.some{color:var(--some)}b.bad{color:var(--bad)}b.planned{color:var(--planned)}
svg.bars{display:block;width:100%;height:32px;margin:4px 0}
svg.bars path{fill:none;stroke-width:32;stroke-dasharray:8 2}
path.good{stroke:var(--good)}path.some{stroke:var(--some)}path.bad{stroke:var(--bad)}path.unknown{stroke:var(--unknown);opacity:.5}
summary{cursor:pointer}
.updates>li{border-top:1px solid var(--border-color);padding-top:8px;margin-top:8px}
.field{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0}
.field input{flex:1 1 220px;max-width:400px}
input,button{font:inherit;min-height:40px;border-radius:6px;padding:4px 12px}
input{color:var(--body-font-color);background:var(--body-background-color);border:1px solid var(--body-font-color-muted)}
button{border:1px solid transparent;cursor:pointer;background:var(--primary-button-background-color);color:var(--primary-button-font-color)}
input[aria-invalid]{border-color:var(--bad)}
.problem{color:var(--bad);font-weight:600}
input:focus-visible,button:focus-visible{outline:2px solid var(--link-font-color);outline-offset:2px}
.pages{display:flex;gap:16px}
.old{border-color:var(--some)}
footer{border-top:1px solid var(--border-color);padding-block:16px 32px}
`
