/**
 * A text area for code. Who passes through it with the Tab key is let through; who writes in it indents with it.
 * What is seen are the coloured lines that lie beneath; the text area itself shows the caret and what is selected.
 */
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { CodeLines, isColoured } from './code.tsx'
import { Field } from './field.tsx'
import { indented, lineBreakAt, outdented } from './indent.ts'

interface CodeFieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  value: string
  maxLength?: number
  required?: boolean
  /** Whether its lines have numbers. */
  numbered?: boolean
  onChange: (value: string) => void
}

const FEWEST_LINES = 5
const MOST_LINES = 24

/** Room for as many digits. */
const GUTTERS = [
  { below: 100, width: 'w-9', indent: 'pl-11!' },
  { below: 1000, width: 'w-11', indent: 'pl-13!' },
  { below: Number.POSITIVE_INFINITY, width: 'w-14', indent: 'pl-16!' },
]

/** Only lines that can be seen, and some around them, have colours: a long script is written as fast as a short one. */
const BLOCK = 40
const LINE_REM = 1.375

/** The same in the text area and beneath it, or the caret stands beside its letter. */
const TYPE = 'font-mono text-[0.8125rem]! leading-5.5! tracking-normal'

export function CodeField({ label, hint, error, value, numbered = false, onChange, ...rest }: CodeFieldProps) {
  const writing = useRef(false)
  const numbers = useRef<HTMLDivElement>(null)
  const colours = useRef<HTMLDivElement>(null)
  const lines = value.split('\n').length
  const gutter = numbered ? GUTTERS.find(({ below }) => lines < below) : undefined
  const coloured = isColoured(value)
  const [block, setBlock] = useState(0)
  const from = Math.max(0, block - 1) * BLOCK
  return (
    <Field label={label} hint={<>{hint} While you write, Tab indents; Escape, then Tab, goes on.</>} error={error}>
      {(control) => (
        <div className="relative rounded-[7px] bg-surface">
          {coloured && (
            <div
              aria-hidden="true"
              className="pointer-events-none absolute inset-px overflow-hidden rounded-md select-none forced-colors:hidden"
            >
              <div ref={colours} className={`w-max px-[0.6875rem] py-[0.4375rem] ${TYPE} ${gutter?.indent ?? ''}`}>
                <pre className="font-[inherit]" style={{ paddingTop: `${from * LINE_REM}rem` }}>
                  <CodeLines code={value} from={from} to={(block + 3) * BLOCK} />
                </pre>
              </div>
            </div>
          )}
          {gutter && (
            <div
              aria-hidden="true"
              className={`pointer-events-none absolute inset-y-px left-px z-1 overflow-hidden rounded-l-md border-r border-line bg-sunken ${gutter.width}`}
            >
              <div
                ref={numbers}
                className="py-[0.4375rem] pr-2 text-right font-mono text-[0.75rem] leading-5.5 whitespace-pre text-faint select-none"
              >
                {numbersTo(lines)}
              </div>
            </div>
          )}
          <textarea
            {...rest}
            {...control}
            value={value}
            className={`control relative block resize-y bg-transparent! whitespace-pre ${TYPE} ${gutter?.indent ?? ''} ${
              coloured ? 'text-transparent! caret-ink' : ''
            }`}
            rows={Math.min(Math.max(lines + 1, FEWEST_LINES), MOST_LINES)}
            wrap="off"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            autoCorrect="off"
            onChange={(event) => onChange(event.target.value)}
            onScroll={({ currentTarget }) => {
              const { scrollLeft, scrollTop } = currentTarget
              setBlock(Math.floor(scrollTop / (BLOCK * Number.parseFloat(getComputedStyle(currentTarget).lineHeight))))
              if (numbers.current) numbers.current.style.transform = `translateY(${-scrollTop}px)`
              if (colours.current) colours.current.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`
            }}
            onPointerDown={() => {
              writing.current = true
            }}
            onBlur={() => {
              writing.current = false
            }}
            onKeyDown={(event) => {
              writing.current = writesOn(event, writing.current)
            }}
          />
        </div>
      )}
    </Field>
  )
}

const numbersTo = (lines: number): string => Array.from({ length: lines }, (_, index) => index + 1).join('\n')

/** Whether Tab indents from now on. */
function writesOn(event: KeyboardEvent<HTMLTextAreaElement>, writing: boolean): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent, currentTarget: area } = event
  if (nativeEvent.isComposing || ctrlKey || metaKey || altKey) return writing
  if (key === 'Escape') return false
  if (key === 'Tab') {
    if (!writing) return false
    event.preventDefault()
    replace(area, (shiftKey ? outdented : indented)(area.value, area.selectionStart, area.selectionEnd))
    return true
  }
  if (key === 'Enter') {
    event.preventDefault()
    insert(lineBreakAt(area.value, area.selectionStart))
    return true
  }
  return writing || key.length === 1 || key === 'Backspace' || key === 'Delete'
}

function replace(area: HTMLTextAreaElement, { from, to, text, select }: ReturnType<typeof indented>): void {
  area.setSelectionRange(from, to)
  insert(text)
  area.setSelectionRange(...select)
}

/** As if it had been typed: the only way that the browser's own undo knows of. */
function insert(text: string): void {
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
