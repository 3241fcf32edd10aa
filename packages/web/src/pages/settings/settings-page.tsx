import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/me.ts'
import { Choice } from '../../components/choice.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { chooseTheme, useThemeChoice } from '../../components/theme.ts'
import { ApiKeySection } from './api-key-section.tsx'
import { roleWords } from './role-words.ts'
import { ServiceKeySection } from './service-key-section.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export default function SettingsPage() {
  const me = useQuery(meQuery)
  const choice = useThemeChoice()
  return (
    <SettingsFrame title="Settings">
      <Section title="Appearance">
        <Choice label="Theme" value={choice} options={themes} onChange={chooseTheme} />
        <p className="mt-2 text-[0.8125rem] text-faint">Kept in this browser.</p>
      </Section>
      <ApiKeySection />
      {(me.data?.role === 'OWNER' || me.data?.role === 'ADMIN') && <ServiceKeySection />}
      <Section title="Who is signed in">
        <Loaded query={me}>
          {({ user, account, role }) => (
            <dl className="grid gap-x-8 gap-y-3 text-[0.875rem] sm:grid-cols-2">
              <Fact name="Person" value={user.name} />
              <Fact name="Role" value={roleWords[role]} />
              <Fact name="Account" value={account.name} />
              <Fact name="Account id" value={account.id} />
            </dl>
          )}
        </Loaded>
      </Section>
    </SettingsFrame>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-faint">{name}</dt>
      <dd className="break-words">{value}</dd>
    </div>
  )
}
