import type { SettingLevel, Subscription } from '@vedette/schema'

/** The channels that hear of a check. What is said of a channel at the check wins over what its group says. */
export function subscribedTo(
  own: readonly Subscription[],
  ofGroup: readonly Subscription[],
): { ids: number[]; from: SettingLevel[] } {
  const said = new Set(own.map(({ alertChannelId }) => alertChannelId))
  const active = (subscriptions: readonly Subscription[]) =>
    subscriptions.filter(({ activated }) => activated).map(({ alertChannelId }) => alertChannelId)
  const added = active(ofGroup).filter((id) => !said.has(id))
  const ids = [...active(own), ...added]
  return {
    ids,
    from: [...(ids.length > added.length ? ['check' as const] : []), ...(added.length > 0 ? ['group' as const] : [])],
  }
}
