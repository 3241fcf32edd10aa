/** What all public pages look like. Colours come from the theme alone. */
export const BASE_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:var(--body-background-color);color:var(--body-font-color);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link-font-color)}
a:focus-visible,summary:focus-visible,button:focus-visible,input:focus-visible{outline:2px solid var(--link-font-color);outline-offset:2px}
.wrap{max-width:860px;margin-inline:auto;padding-inline:16px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:16px;top:8px;background:var(--card-background-color);padding:4px 8px}
.brand{display:inline-flex;align-items:center;gap:12px;color:inherit;text-decoration:none;font-size:20px;font-weight:600}
.brand img{display:block;height:40px;max-width:200px;object-fit:contain}
main{padding-block:24px}
h1,h2,h3{color:var(--title-font-color);line-height:1.3;margin:0 0 8px}
h1{font-size:26px}h2{font-size:20px;margin-top:32px}h3{font-size:16px}
p{margin:0 0 8px}
.text{white-space:pre-wrap}
.muted,.muted a,footer{color:var(--body-font-color-muted)}
.small,footer{font-size:14px}
.button{display:inline-block;padding:4px 12px;border:0;border-radius:6px;font:inherit;text-decoration:none;cursor:pointer;background:var(--primary-button-background-color);color:var(--primary-button-font-color)}
.box{background:var(--card-background-color);border:1px solid var(--border-color);border-radius:8px;padding:16px;margin:0 0 16px}
.updates{list-style:none;margin:0;padding:0}
.updates>li{border-top:1px solid var(--border-color);padding-top:8px;margin-top:8px}
b.good{color:var(--good)}b.some{color:var(--some)}b.bad{color:var(--bad)}b.planned{color:var(--planned)}
svg.bars{display:block;width:100%;height:32px;margin:4px 0}
svg.bars path{fill:none;stroke-width:32;stroke-dasharray:8 2}
path.good{stroke:var(--good)}path.some{stroke:var(--some)}path.bad{stroke:var(--bad)}path.unknown{stroke:var(--unknown);opacity:.5}
summary{cursor:pointer}
.old{border-color:var(--some)}
footer{border-top:1px solid var(--border-color);padding-block:16px 32px}
`
