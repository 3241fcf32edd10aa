import { TextField } from '../../../components/field.tsx'
import type { ChannelView } from './channel-view.ts'

export const emailView: ChannelView<'EMAIL'> = {
  label: 'E-mail',
  blank: { address: '' },
  destination: () => null,
  Fields: ({ config, set, errorOf }) => (
    <TextField
      label="Address"
      hint="One address. For several people make a channel each, or use the address of a list."
      type="email"
      required
      maxLength={254}
      value={config.address}
      error={errorOf('config.address')}
      onChange={(address) => set({ address })}
    />
  ),
}
