/**
 * The style that somebody wrote for a dashboard, as far as it may be used: it styles what is inside `.dashboard` and
 * nothing around it, and it loads nothing. It is read into a tree, what is not known to be harmless is left out, and what
 * remains is written anew: no text of the author's gets through as it is.
 */
import { createHash } from 'node:crypto'
import { type CssNode, generate, List, parse, tokenize, walk } from 'css-tree'

export interface CustomStyle {
  /** Named for its content. */
  file: string
  text: string
}

/** Null when nothing is left. */
export function customStyle(css: string | null): CustomStyle | null {
  if (css === null || css.trim() === '') return null
  const known = kept.get(css)
  if (known !== undefined) {
    // Taken out and put back: the map is in the order of use.
    kept.delete(css)
    kept.set(css, known)
    return known
  }
  const text = scopedCss(css)
  const style =
    text === '' ? null : { file: `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.css`, text }
  kept.set(css, style)
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break
    kept.delete(oldest)
  }
  return style
}

/** Reading 64 KiB takes some tens of milliseconds. */
const kept = new Map<string, CustomStyle | null>()
const KEPT = 100

/** What all selectors are put below. */
const SCOPE = '.dashboard'
/** Nobody nests so deeply by hand, and a parser has only so much stack. */
const DEEPEST = 40
/** Each takes the parser longer than what it can read. Who writes by hand makes a few. */
const MOST_ERRORS = 200

/** The harmless part of a style sheet, with each selector below `.dashboard`; nothing of one that is mostly not CSS. */
export function scopedCss(css: string): string {
  if (depthOf(css) > DEEPEST) return ''
  const sheet = treeOf(css)
  return sheet?.type === 'StyleSheet' ? rulesIn(sheet.children).join('\n') : ''
}

/** Null if there are too many errors. */
function treeOf(css: string): CssNode | null {
  const tooMany = new Error('too many errors')
  let errors = 0
  const onParseError = () => {
    errors += 1
    if (errors > MOST_ERRORS) throw tooMany
  }
  try {
    return parse(css, { parseCustomProperty: true, positions: false, onParseError })
  } catch (error) {
    if (error === tooMany) return null
    throw error
  }
}

/** How deeply brackets of any kind stand in each other. */
function depthOf(css: string): number {
  let depth = 0
  let deepest = 0
  tokenize(css, (_type, start, end) => {
    const last = css[end - 1] ?? ''
    if ('({['.includes(last)) depth += 1
    else if (end - start === 1 && ')}]'.includes(last)) depth = Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  })
  return deepest
}

function rulesIn(nodes: List<CssNode>): string[] {
  return nodes.toArray().flatMap((node) => {
    if (node.type === 'Rule') return ruleText(node.prelude, node.block)
    if (node.type !== 'Atrule' || node.block === null) return []
    const name = node.name.toLowerCase()
    const condition = node.prelude
    if (name === 'keyframes') return keyframesText(condition, node.block)
    if (name !== 'media' || condition === null || !isHarmless(condition)) return []
    const inner = rulesIn(node.block.children)
    return inner.length === 0 ? [] : [`@media ${generate(condition)}{\n${inner.join('\n')}\n}`]
  })
}

function ruleText(prelude: CssNode, block: CssNode): string[] {
  // One bad selector makes a whole list void, in browsers too.
  if (prelude.type !== 'SelectorList') return []
  const selectors = prelude.children.toArray().map(scopedSelector)
  const body = declarationsIn(block)
  if (selectors.length === 0 || body === '' || selectors.includes(null)) return []
  return [`${selectors.join(',')}{${body}}`]
}

/** Null for what cannot be kept inside. */
function scopedSelector(selector: CssNode): string | null {
  if (selector.type !== 'Selector' || !isHarmlessSelector(selector)) return null
  const parts = selector.children.toArray()
  // What authors write for the whole page means the whole dashboard; they may go on from there, but only inwards.
  let rest = parts
  while (rest[0] !== undefined && isRoot(rest[0])) {
    const next = rest[1]
    if (next === undefined) return SCOPE
    if (next.type !== 'Combinator') break
    if (next.name !== ' ' && next.name !== '>') return null
    rest = rest.slice(2)
  }
  const [first] = rest
  // The root with more said of it: `body.narrow`, `:root:hover`.
  if (first === undefined || first.type === 'Combinator' || isRoot(first)) return null
  return `${SCOPE} ${generate({ type: 'Selector', children: new List<CssNode>().fromArray(rest) })}`
}

function isRoot(node: CssNode): boolean {
  if (node.type === 'TypeSelector') return /^(html|body)$/i.test(node.name)
  if (node.type === 'PseudoClassSelector') return node.children === null && /^(root|scope)$/i.test(node.name)
  return node.type === 'ClassSelector' && node.name === 'dashboard'
}

/** Of what selectors are made. Everything else, such as `&` and what could not be read, is refused. */
const OF_SELECTORS: ReadonlySet<CssNode['type']> = new Set<CssNode['type']>([
  ...(['Selector', 'SelectorList', 'ClassSelector', 'IdSelector', 'AttributeSelector'] as const),
  ...([
    'PseudoClassSelector',
    'PseudoElementSelector',
    'Combinator',
    'Identifier',
    'String',
    'Nth',
    'AnPlusB',
  ] as const),
])
const COMBINATORS: ReadonlySet<string> = new Set([' ', '>', '+', '~'])

function isHarmlessSelector(selector: CssNode): boolean {
  return everyNode(selector, (node) => {
    if (node.type === 'Combinator') return COMBINATORS.has(node.name)
    // There is no namespace to speak of.
    if (node.type === 'TypeSelector') return !node.name.includes('|')
    return OF_SELECTORS.has(node.type)
  })
}

function keyframesText(name: CssNode | null, block: CssNode): string[] {
  const words = name?.type === 'AtrulePrelude' ? name.children.toArray() : []
  const [word] = words
  if (block.type !== 'Block' || words.length !== 1 || word?.type !== 'Identifier') return []
  const frames = block.children.toArray().flatMap((frame) => {
    if (frame.type !== 'Rule' || frame.prelude.type !== 'SelectorList') return []
    const when = generate(frame.prelude)
    const body = declarationsIn(frame.block)
    return /^[\w.%,]+$/.test(when) && body !== '' ? [`${when}{${body}}`] : []
  })
  return frames.length === 0 ? [] : [`@keyframes ${generate(word)}{${frames.join('')}}`]
}

/** Rules inside of rules are left out: what they select is not said where they stand. */
function declarationsIn(block: CssNode): string {
  if (block.type !== 'Block') return ''
  return block.children
    .toArray()
    .filter((node) => node.type === 'Declaration' && !/^(behavior|-moz-binding|src)$/i.test(node.property))
    .filter(isHarmless)
    .map((node) => generate(node))
    .join(';')
}

/** Functions that draw, measure or move. What loads something, or is new, is not among them. */
const FUNCTIONS = new RegExp(
  `^(-webkit-)?(${[
    ...[
      'var',
      'calc',
      'min',
      'max',
      'clamp',
      'round',
      'mod',
      'rem',
      'abs',
      'sign',
      'minmax',
      'repeat',
      'fit-content',
      'env',
    ],
    ...['rgba?', 'hsla?', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark'],
    ...['(repeating-)?(linear|radial|conic)-gradient', 'counters?', 'cubic-bezier', 'steps', 'linear'],
    ...['translate(x|y|z|3d)?', 'scale(x|y|z|3d)?', 'rotate(x|y|z|3d)?', 'skew(x|y)?', 'matrix(3d)?', 'perspective'],
    ...[
      'blur',
      'brightness',
      'contrast',
      'drop-shadow',
      'grayscale',
      'hue-rotate',
      'invert',
      'opacity',
      'saturate',
      'sepia',
    ],
    ...['circle', 'ellipse', 'inset', 'polygon'],
  ].join('|')})$`,
  'i',
)

/** Of what values and conditions are made. `Url` is not among them, nor `Raw`, which is what could not be read. */
const OF_VALUES: ReadonlySet<CssNode['type']> = new Set<CssNode['type']>([
  ...([
    'Declaration',
    'Value',
    'Identifier',
    'Dimension',
    'Percentage',
    'Number',
    'Operator',
    'Hash',
    'String',
  ] as const),
  ...(['Function', 'Parentheses', 'Brackets', 'AtrulePrelude', 'MediaQueryList', 'MediaQuery', 'Condition'] as const),
  ...(['Feature', 'FeatureRange', 'Ratio', 'UnicodeRange'] as const),
])

function isHarmless(tree: CssNode): boolean {
  return everyNode(tree, (node) => OF_VALUES.has(node.type) && (node.type !== 'Function' || FUNCTIONS.test(node.name)))
}

function everyNode(tree: CssNode, accepts: (node: CssNode) => boolean): boolean {
  let isFine = true
  walk(tree, (node) => {
    isFine &&= accepts(node)
  })
  return isFine
}
