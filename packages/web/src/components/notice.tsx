import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'ours' | 'idle'

export const toneText: Record<Tone, string> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  ours: 'text-ours',
  idle: 'text-idle',
}

export const toneFill: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  ours: 'bg-ours-soft text-ours',
  idle: 'bg-idle-soft text-idle',
}

const icons: Record<Tone, IconName> = { good: 'check', warn: 'slow', bad: 'cross', ours: 'wrench', idle: 'question' }

/** Something the reader should know, in place. Trouble is announced at once. */
export function Notice({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`my-3 flex gap-2.5 rounded-lg px-3.5 py-2.5 text-[0.875rem] ${toneFill[tone]}`}
    >
      <Icon name={icon ?? icons[tone]} className="mt-0.75" />
      <div className="min-w-0 break-words text-ink">{children}</div>
    </div>
  )
}

/** A word with an icon, in the colour of its tone: never the colour alone. */
export function Pill({
  tone,
  icon,
  children,
  title,
}: {
  tone: Tone
  icon?: IconName
  children: ReactNode
  title?: string
}) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1.25 rounded-full py-0.5 pr-2.5 pl-2 text-[0.8125rem] font-semibold whitespace-nowrap ${toneFill[tone]}`}
    >
      {icon && <Icon name={icon} size={13} />}
      {children}
    </span>
  )
}
