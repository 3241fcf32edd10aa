/**
 * Makes messages of the same kind of failure equal, so that they fall into one group: what differs from run to run
 * (times, numbers, ids, addresses) gives way to a placeholder. Linear in the length of the message, and cleaning what
 * is clean changes nothing.
 */

export const CLEANED_LIMIT = 2000
/** What lies beyond says nothing that the beginning did not. */
const READ_LIMIT = 10_000

// Every pattern has only one way to match at any place, so that none of them can be made to try again and again.
const ESCAPE = String.fromCharCode(27)
const ANSI = new RegExp(`${ESCAPE}\\[[0-9;?]{0,32}[ -/]{0,4}[@-~]?`, 'g')
const STACK_FRAME = /^[ \t]{0,40}at [^\n]{0,2000}(?:\n|$)/gm
const QUERY = /\?[\w.~%+[\]-]{1,200}=[^\s"'<>)]{0,1000}/g
const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g
const UUID =
  /(?<![0-9a-fA-F])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9a-fA-F])/g
const DATE_TIME = /(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/g
const TIME = /(?<![\d:])\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?![\d:])/g
const IPV4 = /(?<![\d.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.])(?::\d{1,5}(?!\d))?/g
const IPV6 = /(?<![\w:])(?:[0-9a-fA-F]{0,4}:){2,8}[0-9a-fA-F]{0,4}(?![\w:])/g
const DURATION = /(?<![\w.])\d{1,15}(?:\.\d{1,15})? ?(?:ms|µs|ns|s|sec|seconds?|minutes?|milliseconds?)(?!\w)/g
const HEX = /(?<!\w)(?:0x[0-9a-fA-F]{1,64}|(?=[a-fA-F]{0,40}\d)[0-9a-fA-F]{12,64})(?!\w)/g
const NUMBER = /(?<![\w<])\d{2,}(?:\.\d{1,20})?/g

/** Of scripts: what came instead of what was expected, and how many failed beside. */
const RECEIVED = /(?<!\w)Received(?: [a-z]{1,20}){0,3}: [^\n]{1,2000}/g
const OF_TESTS = / \(\d{1,9} of \d{1,9} tests failed\)/g

const QUOTED = /"[^"\n]{0,500}"/g

/** More than enough: a pass can only uncover what the pass before it shortened or cut. */
const MOST_PASSES = 20

/** The message as it names its group. */
export function cleanErrorMessage(message: string): string {
  let text = message.slice(0, READ_LIMIT)
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const cleaned = cleanOnce(text)
    if (cleaned === text) break
    text = cleaned
  }
  return text
}

function cleanOnce(text: string): string {
  return text
    .replace(ANSI, '')
    .replace(STACK_FRAME, '')
    .replace(OF_TESTS, '')
    .replace(RECEIVED, 'Received: <value>')
    .replace(QUOTED, '"<value>"')
    .replace(QUERY, '?<query>')
    .replace(EMAIL, '<email>')
    .replace(UUID, '<uuid>')
    .replace(DATE_TIME, '<time>')
    .replace(TIME, '<time>')
    .replace(IPV6, '<ip>')
    .replace(IPV4, '<ip>')
    .replace(DURATION, '<duration>')
    .replace(HEX, '<hex>')
    .replace(NUMBER, '<number>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, CLEANED_LIMIT)
    .trim()
}
