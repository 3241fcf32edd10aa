import { Link } from '@tanstack/react-router'
import type { CheckGroup, SettingLevel } from '@vedette/schema'

const LOOK = 'inline-block rounded bg-sunken px-1.5 text-xs text-soft'

interface OriginProps {
  from: readonly SettingLevel[]
  group: CheckGroup | undefined
}

/** Where a setting comes from, where that is not the check itself. */
export function Origin({ from, group }: OriginProps) {
  if (from.includes('group') && group) {
    return (
      <Link
        to="/groups/$groupId"
        params={{ groupId: String(group.id) }}
        title={`From the group ${group.name}`}
        className={`${LOOK} underline decoration-dotted underline-offset-2 hover:text-ink`}
      >
        {from.includes('check') && 'also '}group
      </Link>
    )
  }
  if (!from.includes('account')) return null
  return (
    <span title="From the settings of the account" className={LOOK}>
      account
    </span>
  )
}
