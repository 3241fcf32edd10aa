/** A text area for code. Who passes through it with the Tab key is let through; who writes in it indents with it. */
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { TextArea } from './field.tsx'
import { indented, lineBreakAt, outdented } from './indent.ts'

interface CodeFieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  value: string
  maxLength?: number
  required?: boolean
  onChange: (value: string) => void
}

const FEWEST_LINES = 5
const MOST_LINES = 24

export function CodeField({ hint, value, ...rest }: CodeFieldProps) {
  const writing = useRef(false)
  const lines = value.split('\n').length
  return (
    <TextArea
      {...rest}
      code
      hint={<>{hint} While you write, Tab indents; Escape, then Tab, goes on.</>}
      value={value}
      rows={Math.min(Math.max(lines + 1, FEWEST_LINES), MOST_LINES)}
      wrap="off"
      autoCapitalize="none"
      autoComplete="off"
      autoCorrect="off"
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
  )
}

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
