/** How dashboards look: to be read from across a room, and on a phone. */
import { BASE_STYLE } from '../base-style.ts'

export const DASHBOARD_STYLE = `${BASE_STYLE}
body{min-height:100vh;display:flex;flex-direction:column}
.page{flex:1;display:grid;container-type:inline-size;contain:layout paint style;isolation:isolate}
.dashboard{width:100%;padding:24px clamp(16px,2.5cqw,40px) 16px;background:var(--body-background-color)}
.narrow{max-width:960px;margin-inline:auto}
main{padding:0}
.header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 24px;margin-bottom:20px}
.header h1{margin:0;font-size:clamp(24px,2.2cqw,36px);letter-spacing:-.01em}
.header img{display:block;max-height:56px;max-width:240px;object-fit:contain}
.header p{margin:2px 0 0}
.summary{display:flex;flex-wrap:wrap;align-items:center;gap:8px 28px;margin:0 0 20px;padding:14px 20px;border-radius:12px;border:1px solid var(--border-color);border-left:8px solid var(--tone);background:var(--card-background-color)}
.summary strong{flex:1 1 240px;font-size:clamp(20px,2cqw,30px);line-height:1.25;font-weight:650}
.summary ul{display:flex;flex-wrap:wrap;gap:4px 24px;margin:0;padding:0;list-style:none}
.summary li{display:flex;align-items:center;gap:8px;font-variant-numeric:tabular-nums}
.icon{flex:none;width:22px;height:22px;color:var(--tone)}
.failing{--tone:var(--bad)}.degraded{--tone:var(--some)}.passing{--tone:var(--good)}.maintenance{--tone:var(--planned)}.unknown,.off{--tone:var(--unknown)}
.checks{display:grid;gap:8px;margin:0;padding:0;list-style:none}
.check{container-type:inline-size;border:1px solid var(--border-color);border-radius:10px;background:var(--card-background-color);overflow:hidden}
.check.failing,.check.degraded{border-color:var(--tone);background:color-mix(in srgb,var(--tone) 8%,var(--card-background-color))}
.check.off .name{color:var(--body-font-color-muted)}
.check path.good{opacity:.75}
.check summary{display:grid;grid-template-columns:22px minmax(0,1.5fr) minmax(0,1.7fr) auto 10px;gap:4px 16px;align-items:center;padding:9px 16px;list-style:none}
.check summary::after{content:'';width:8px;height:8px;border:solid var(--body-font-color-muted);border-width:0 2px 2px 0;transform:translateY(-3px) rotate(45deg)}
.check [open] summary::after{transform:translateY(2px) rotate(225deg)}
.check summary::-webkit-details-marker{display:none}
.check summary:hover .name{text-decoration:underline}
.name{display:block;font-size:18px;font-weight:600;line-height:1.3}
.about{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:center;font-size:14px;color:var(--body-font-color-muted)}
.state{font-weight:600;color:var(--body-font-color)}
.tags{display:contents}
.tag{padding:0 8px;border:1px solid var(--border-color);border-radius:999px;font-size:12px;line-height:18px}
.check svg.bars{height:30px;margin:0}
.figures{display:flex;gap:4px 10px}
.figure{width:84px;text-align:right;font-size:18px;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap;line-height:1.2}
.figure small{display:block;font-size:12px;font-weight:400;color:var(--body-font-color-muted)}
.more{display:grid;grid-template-columns:1fr 1fr;gap:12px 32px;padding:12px 16px 14px 54px;border-top:1px solid var(--border-color)}
.more p{margin:4px 0 0;font-size:13px;color:var(--body-font-color-muted)}
.more .label{margin:0 0 4px;font-weight:600}
.more .run{grid-column:1/-1;margin:0}
svg.line{display:block;width:100%;height:56px}
svg.line path{fill:none;stroke:var(--planned);stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
svg.line path.area{fill:var(--planned);opacity:.12;stroke:none}
.more svg.bars{height:56px}
.incidents{list-style:none;margin:0 0 20px;padding:0;display:grid;gap:8px}
.incident{border:1px solid var(--border-color);border-left:8px solid var(--tone);border-radius:12px;padding:12px 20px;background:var(--card-background-color)}
.incident>div{display:flex;flex-wrap:wrap;gap:0 16px;align-items:baseline;justify-content:space-between}
.incident h2{margin:0;font-size:20px}
.incident .updates>li:first-child{border:0;margin:4px 0 0;padding:0}
.incident p{margin:0}
.MAJOR{--tone:var(--bad)}.MINOR{--tone:var(--some)}.MAINTENANCE{--tone:var(--planned)}
.empty{padding:40px;text-align:center}
footer{display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:space-between;padding:12px clamp(16px,2.5vw,40px)}
.pager{display:flex;flex-wrap:wrap;gap:4px 16px}
.old{margin:16px clamp(16px,2.5vw,40px) 0;border-left-width:8px}
.key{max-width:420px;margin:12vh auto 0;padding-inline:16px}
.key label{display:block;font-weight:600;margin-bottom:4px}
.key input{width:100%;padding:8px 12px;font:inherit;border:1px solid var(--body-font-color-muted);border-radius:6px;background:var(--card-background-color);color:inherit}
.key .button{margin-top:12px;padding:8px 20px}
.wrong{color:var(--bad);font-weight:600}
@container(min-width:1560px){.checks{grid-template-columns:1fr 1fr}}
@container(max-width:1000px){
.check summary{grid-template-columns:22px minmax(0,1fr) auto 10px;row-gap:8px}
.check summary svg.bars{grid-area:2/2/3/5;height:12px}
}
@container(max-width:600px){
.summary,.incident{padding:12px 14px}
.check summary{grid-template-columns:22px minmax(0,1fr) 10px;gap:6px 12px;padding:10px 12px}
.check summary::after{grid-area:1/3}
.check summary svg.bars{grid-area:2/1/3/4;height:24px}
.check .figures{grid-area:3/1/4/4;column-gap:4px}
.figure{flex:1;width:auto;min-width:0;font-size:14px;text-align:left}
.more{grid-template-columns:1fr;padding-inline:12px}
}
`
