/**
 * What a page measures of itself, in its own words: the text of a script that runs in each top document before anything
 * of the page does, and the shape of what it tells. It leaves no name behind in the page.
 */
import type { ScriptEvent } from '../event.ts'

export const BINDING = '__vedette_vitals'

type PageEvent = Extract<ScriptEvent, { is: 'page' }>
export type Measured = Pick<PageEvent, 'url' | 'vitals' | 'timings'> & {
  /** Tells one document from the next. */
  document: number
}

/**
 * Layout shifts add up in windows that end with a second without one, or after five seconds; the worst window counts.
 * Of tasks after the first paint with content, what is beyond 50 ms blocks.
 */
export const VITALS_SCRIPT = `
  const tell = globalThis[${JSON.stringify(BINDING)}]
  delete globalThis[${JSON.stringify(BINDING)}]
  if (typeof tell !== 'function' || window.top !== window || !/^(?:https?|data|blob|file):/.test(location.href)) return
  // It may be run twice in a document that comes while we are put into its page.
  const mark = Symbol.for('vitals')
  if (document[mark]) return
  Object.defineProperty(document, mark, { value: true })
  const performance = window.performance
  const Observer = window.PerformanceObserver
  const url = location.href
  const id = Math.random()
  let fcp = null, lcp = null, cls = 0, hasLoaded = false
  let window_ = { value: 0, first: 0, last: 0 }
  const tasks = []
  const report = () => {
    let navigation = {}
    try {
      navigation = performance.getEntriesByType('navigation')[0] || {}
    } catch {}
    const time = (value) => (value > 0 ? value : null)
    let blocking = 0
    if (fcp !== null)
      for (const { from, length } of tasks) {
        const beyond = Math.min(length - 50, from + length - fcp)
        if (beyond > 0) blocking += beyond
      }
    tell({
      url,
      document: id,
      vitals: { TTFB: time(navigation.responseStart), FCP: fcp, LCP: lcp, CLS: cls, TBT: fcp === null ? null : blocking },
      timings: { onContentLoad: time(navigation.domContentLoadedEventEnd), onLoad: time(navigation.loadEventEnd) },
    })
  }
  const observe = (type, take) => {
    try {
      new Observer((list) => {
        for (const entry of list.getEntries()) take(entry)
        report()
      }).observe({ type, buffered: true })
    } catch {}
  }
  observe('paint', (entry) => { if (entry.name === 'first-contentful-paint') fcp = entry.startTime })
  observe('largest-contentful-paint', (entry) => { lcp = entry.startTime })
  observe('layout-shift', (entry) => {
    if (entry.hadRecentInput) return
    const goesOn = window_.value > 0 && entry.startTime - window_.last < 1000 && entry.startTime - window_.first < 5000
    window_ = goesOn
      ? { value: window_.value + entry.value, first: window_.first, last: entry.startTime }
      : { value: entry.value, first: entry.startTime, last: entry.startTime }
    cls = Math.max(cls, window_.value)
  })
  observe('longtask', (entry) => { tasks.push({ from: entry.startTime, length: entry.duration }) })
  observe('navigation', () => {})
  report()
`

/** A page tells what it likes: null for what is no measurement. */
export function measuredIn(value: unknown): Measured | null {
  if (!isObject(value) || typeof value.url !== 'string' || typeof value.document !== 'number') return null
  const vitals = isObject(value.vitals) ? value.vitals : {}
  const timings = isObject(value.timings) ? value.timings : {}
  const figure = (from: Record<string, unknown>, name: string) => {
    const found = from[name]
    return typeof found === 'number' && found >= 0 && found <= 1e9 ? found : null
  }
  return {
    url: value.url,
    document: value.document,
    vitals: {
      TTFB: figure(vitals, 'TTFB'),
      FCP: figure(vitals, 'FCP'),
      LCP: figure(vitals, 'LCP'),
      CLS: figure(vitals, 'CLS'),
      TBT: figure(vitals, 'TBT'),
    },
    timings: { onContentLoad: figure(timings, 'onContentLoad'), onLoad: figure(timings, 'onLoad') },
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
