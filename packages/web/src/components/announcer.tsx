/** Says things to people who listen to the page instead of looking at it. */
import { useEffect, useState } from 'react'

let say: ((text: string) => void) | null = null

export function announce(text: string): void {
  say?.(text)
}

export function Announcer() {
  const [lines, setLines] = useState<{ id: number; text: string }[]>([])
  useEffect(() => {
    let id = 0
    say = (text) => setLines((old) => [...old.slice(-4), { id: ++id, text }])
    return () => {
      say = null
    }
  }, [])
  return (
    <div role="log" aria-live="polite" aria-label="What has changed" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
