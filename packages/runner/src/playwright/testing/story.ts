/** What a run told, without what differs each time: to compare one engine with another. */
import type { ScriptEvent, ScriptFault } from '../event.ts'
import { only } from './inside-process.ts'

interface Step {
  category: string
  title: string
  line: number | null
  fault: string | null
  steps: Step[]
}

export interface TestStory {
  titles: string[]
  retry: number
  line: string
  status: string
  expected: string
  isLast: boolean
  faults: unknown[]
  annotations: unknown[]
  steps: Step[]
  files: string[]
}

export interface Story {
  tests: TestStory[]
  faults: unknown[]
  out: string
  err: string
}

/** @param folder of the job, and whatever else is another text each time */
export function storiesOf(events: readonly ScriptEvent[], changing: readonly string[]): Map<string, Story> {
  const clean = (text: string) =>
    changing
      .reduce((whole, word) => whole.replaceAll(word, '<changes>'), text)
      .replaceAll(/127\.0\.0\.1:\d{2,}/g, '<site>')
      .replaceAll(/Test timeout of \d+ms/g, 'Test timeout of <changes>')
      // A proxy keeps its own connections, and a sandbox does not say whose system it is.
      .replaceAll(/^[ -]*(?:connection|keep-alive): .*\n/gm, '')
      .replaceAll(/\((?:x64|arm64); [^)\n]*\)/g, '(<system>)')
      // How often something was tried is chance.
      .replaceAll(/^.*(?:\d+ × |waiting \d+ms|locator resolved to).*\n?/gm, '')
  const cleanFault = ({ message, snippet, stack, location }: ScriptFault) => ({
    message: clean(message),
    snippet: snippet === null ? null : clean(snippet),
    stack: stack === null ? null : clean(stack),
    location,
  })
  const stories = new Map<string, Story>()
  const storyOf = (file: string) => {
    const found = stories.get(file) ?? { tests: [], faults: [], out: '', err: '' }
    stories.set(file, found)
    return found
  }
  const tests = new Map<string, TestStory>()
  const steps = new Map<string, Step>()
  const files = new Map<string, string>()
  // What is told outside of a test belongs to the next one's file.
  let waiting: ((story: Story) => void)[] = []
  let current: Story | null = null
  const inStory = (add: (story: Story) => void) => (current === null ? waiting.push(add) : add(current))

  for (const event of events) {
    if (event.is === 'test') {
      current = storyOf(event.location.file)
      for (const add of waiting) add(current)
      waiting = []
      const story: TestStory = {
        titles: event.titles,
        retry: event.retry,
        line: `${event.location.line}:${event.location.column}`,
        status: '',
        expected: '',
        isLast: false,
        faults: [],
        annotations: [],
        steps: [],
        files: [],
      }
      tests.set(`${event.id} ${event.retry}`, story)
      current.tests.push(story)
      files.set(event.id, event.location.file)
    } else if (event.is === 'step') {
      const step: Step = {
        category: event.category,
        title: clean(event.title),
        line: event.location?.line ?? null,
        fault: null,
        steps: [],
      }
      steps.set(event.id, step)
      const above = event.parent === null ? tests.get(`${event.test} ${event.retry}`) : steps.get(event.parent)
      above?.steps.push(step)
    } else if (event.is === 'step-end') {
      const step = steps.get(event.id)
      if (step && event.fault) step.fault = clean(event.fault.message)
    } else if (event.is === 'test-end') {
      const story = tests.get(`${event.id} ${event.retry}`)
      if (!story) continue
      const { status, expected, isLast, annotations } = event
      Object.assign(story, { status, expected, isLast, annotations, faults: event.faults.map(cleanFault) })
      current = null
    } else if (event.is === 'output')
      inStory((story) => {
        story[event.stream] += clean(event.text)
      })
    else if (event.is === 'fault') inStory((story) => story.faults.push(cleanFault(event.fault)))
    else if (event.is === 'file' && event.test !== null)
      tests.get(`${event.test} ${event.retry}`)?.files.push(`${event.role} ${event.name} ${event.contentType}`)
  }
  if (waiting.length > 0) {
    const story = [...stories.values()].at(-1) ?? storyOf('')
    for (const add of waiting) add(story)
  }
  return stories
}

/** What pages said, in no order. */
export function pagesOf(events: readonly ScriptEvent[]): string[] {
  const path = (url: string) => url.replace(/^http:\/\/[^/]+/, '')
  return [
    ...only(events, 'console').map(({ level, text }) => `console ${level} ${text}`),
    ...only(events, 'page-fault').map(({ message }) => `page-fault ${message}`),
    ...only(events, 'request-failed').map(({ url, problem }) => `request-failed ${path(url)} ${problem}`),
    ...only(events, 'page').map(({ url }) => `page ${path(url)}`),
    ...only(events, 'degraded').map(({ reason }) => `degraded ${reason}`),
  ].sort()
}
