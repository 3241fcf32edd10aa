/** A modal dialog on the browser's own element, which traps focus, closes on Escape and gives focus back. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  size?: keyof typeof widths
}

const widths = { narrow: 'max-w-md', wide: 'max-w-2xl', whole: 'max-w-[110rem]' }

/** Render it while it is open. */
export function Dialog({ title, onClose, children, size = 'narrow' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={`card m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-auto p-0 text-ink shadow-lift ${widths[size]}`}
    >
      <div className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <IconButton icon="cross" label="Close" onClick={onClose} />
      </div>
      <div className="px-5 py-4">{children}</div>
    </dialog>
  )
}
