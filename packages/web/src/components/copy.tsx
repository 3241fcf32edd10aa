import { useRef, useState } from 'react'
import { announce } from './announcer.tsx'
import { Button } from './button.tsx'

/** Text that is shown once and wants to be taken along. */
export function Copy({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const ref = useRef<HTMLInputElement>(null)
  const copy = async () => {
    ref.current?.select()
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announce('Copied')
    } catch {
      // Without a secure context there is no clipboard: the text is selected, ready for the keyboard.
      announce('Selected: copy it with the keyboard')
    }
  }
  return (
    <div className="flex gap-2">
      <input
        ref={ref}
        readOnly
        value={text}
        aria-label={label}
        className="control font-mono text-[0.8125rem]!"
        onFocus={(event) => event.target.select()}
      />
      <Button icon={copied ? 'check' : 'copy'} onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
