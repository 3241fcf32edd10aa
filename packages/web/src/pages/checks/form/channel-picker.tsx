import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channelTitle } from '@vedette/schema'
import { channelsQuery } from '../../../api/channels.ts'
import { CheckboxField } from '../../../components/field.tsx'

interface ChannelPickerProps {
  chosen: readonly number[]
  onChange: (chosen: number[]) => void
}

/** Who hears of a check, or of all checks of a group. */
export function ChannelPicker({ chosen, onChange }: ChannelPickerProps) {
  const { data: channels = [] } = useQuery(channelsQuery)
  if (channels.length === 0) {
    return (
      <p className="text-[0.875rem] text-soft">
        There is no alert channel yet.{' '}
        <Link to="/alerts" className="link">
          Add one
        </Link>
        , and choose it here later.
      </p>
    )
  }
  return channels.map((channel) => (
    <CheckboxField
      key={channel.id}
      label={channelTitle(channel)}
      hint={channel.type.toLowerCase()}
      checked={chosen.includes(channel.id)}
      onChange={(on) => onChange(on ? [...chosen, channel.id] : chosen.filter((other) => other !== channel.id))}
    />
  ))
}
