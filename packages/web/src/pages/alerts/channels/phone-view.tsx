import { PHONE_NUMBER } from '@vedette/schema'
import { TextField } from '../../../components/field.tsx'
import type { ChannelFieldsProps, ChannelView } from './channel-view.ts'
import { LabelField } from './label-field.tsx'

function PhoneFields({ config, set, errorOf }: ChannelFieldsProps<'SMS' | 'CALL'>) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LabelField
        label="Name"
        hint="Whose number it is."
        value={config.name}
        error={errorOf('config.name')}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Number"
        hint="With the country’s code and without spaces, such as +351210000000."
        type="tel"
        required
        pattern={PHONE_NUMBER}
        value={config.number}
        error={errorOf('config.number')}
        onChange={(number) => set({ number })}
      />
    </div>
  )
}

const phoneView: Omit<ChannelView<'SMS' | 'CALL'>, 'label'> = {
  blank: { name: null, number: '' },
  destination: ({ name, number }) => (name ? number : null),
  Fields: PhoneFields,
}

export const smsView: ChannelView<'SMS'> = { label: 'SMS', ...phoneView }
export const callView: ChannelView<'CALL'> = { label: 'Telephone call', ...phoneView }
