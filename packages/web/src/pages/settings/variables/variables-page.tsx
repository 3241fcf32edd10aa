import { SettingsFrame } from '../settings-frame.tsx'
import { BuiltInSection } from './built-in-section.tsx'
import { VariablesSection } from './variables-section.tsx'

export default function VariablesPage() {
  return (
    <SettingsFrame
      title="Variables"
      about={
        <p>
          Values that checks use by name: <code>{'{{SHOP_HOST}}'}</code> in a request,{' '}
          <code>process.env.SHOP_HOST</code> in a script. A variable of a group goes before one of the account.
        </p>
      }
    >
      <VariablesSection />
      <BuiltInSection />
    </SettingsFrame>
  )
}
