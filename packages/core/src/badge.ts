/** Draws badges: a name, and beside it how things are. Plain SVG without anything to load. */
import type { BadgeState, BadgeStyle, BadgeTheme } from '@vedette/schema'

export interface Badge {
  name: string
  state: BadgeState
  responseTimeMs: number | null
  style: BadgeStyle
  theme: BadgeTheme
}

const NAME_LENGTH = 60

/** Dark enough for white words: a contrast of 4.5 to 1 at least. */
const COLOURS: Record<BadgeState, string> = {
  passing: '#1a7f37',
  degraded: '#9a6700',
  failing: '#cf222e',
  unknown: '#656d76',
}
const THEMES: Record<BadgeTheme, { back: string; text: string }> = {
  default: { back: '#444c56', text: '#ffffff' },
  dark: { back: '#161b22', text: '#f0f6fc' },
  light: { back: '#eaeef2', text: '#1f2328' },
}

interface Look {
  height: number
  radius: number
  fontSize: number
  padding: number
  /** How much lighter the upper edge is. */
  shine: number
  capitals: boolean
  /** Name and state are boxes of their own. */
  apart: boolean
}

const FLAT: Look = { height: 20, radius: 3, fontSize: 11, padding: 6, shine: 0.08, capitals: false, apart: false }
const LOOKS: Record<BadgeStyle, Look> = {
  flat: FLAT,
  plastic: { ...FLAT, height: 18, radius: 4, shine: 0.35 },
  'flat-square': { ...FLAT, radius: 0, shine: 0 },
  'for-the-badge': { ...FLAT, height: 28, radius: 0, fontSize: 10, padding: 12, shine: 0, capitals: true },
  social: { ...FLAT, radius: 4, shine: 0, apart: true },
}

export function drawBadge({ name, state, responseTimeMs, style, theme }: Badge): string {
  const look = LOOKS[style]
  const words = (text: string) => (look.capitals ? text.toUpperCase() : text)
  const left = words(shortened(printable(name)))
  const right = words(responseTimeMs === null ? state : `${state} · ${Math.round(responseTimeMs)} ms`)
  const spacing = look.capitals ? 1.2 : 0
  const leftWidth = Math.ceil(widthOf(left, look.fontSize, spacing)) + 2 * look.padding
  const rightWidth = Math.ceil(widthOf(right, look.fontSize, spacing)) + 2 * look.padding
  const gap = look.apart ? 5 : 0
  const width = leftWidth + gap + rightWidth
  const { back, text } = THEMES[theme]
  const { height, radius } = look
  const box = (x: number, boxWidth: number, fill: string) =>
    `<rect x="${x}" width="${boxWidth}" height="${height}" fill="${fill}"${look.apart ? ` rx="${radius}"` : ''}/>`
  const label = (x: number, boxWidth: number, fill: string, content: string, bold: boolean) =>
    `<text x="${x + boxWidth / 2}" y="${height / 2}" dominant-baseline="central" text-anchor="middle" fill="${fill}" ` +
    `textLength="${boxWidth - 2 * look.padding}" lengthAdjust="spacingAndGlyphs"${bold ? ' font-weight="bold"' : ''}>${escaped(content)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${left}: ${right}`)}">`,
    `<title>${escaped(`${left}: ${right}`)}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${height}"${look.apart ? '' : ` rx="${radius}"`}/></clipPath>`,
    look.shine === 0
      ? ''
      : `<linearGradient id="s" x2="0" y2="1"><stop stop-color="#fff" stop-opacity="${look.shine}"/><stop offset="1" stop-opacity="${look.shine}"/></linearGradient>`,
    '<g clip-path="url(#r)">',
    box(0, leftWidth, back),
    box(leftWidth + gap, rightWidth, COLOURS[state]),
    look.shine === 0 ? '' : `<rect width="${width}" height="${height}" fill="url(#s)"/>`,
    '</g>',
    `<g font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${look.fontSize}">`,
    label(0, leftWidth, text, left, false),
    label(leftWidth + gap, rightWidth, '#ffffff', right, look.capitals),
    '</g></svg>',
  ].join('')
}

/** Without what XML cannot hold or what turns the direction of reading. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

function shortened(text: string): string {
  const letters = [...text]
  return letters.length <= NAME_LENGTH ? text : `${letters.slice(0, NAME_LENGTH - 1).join('')}…`
}

/** Nearly as wide as it will be; `textLength` makes it so in any font. */
function widthOf(text: string, fontSize: number, spacing: number): number {
  const widths = [...text].map((letter) =>
    /[ijl.,:;'!|]/.test(letter)
      ? 0.34
      : /[mwMW@%]/.test(letter)
        ? 0.95
        : (letter.codePointAt(0) ?? 0) > 0x10ff
          ? 1
          : /[A-Z]/.test(letter)
            ? 0.7
            : 0.6,
  )
  return widths.reduce((sum, width) => sum + width * fontSize + spacing, 0)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
