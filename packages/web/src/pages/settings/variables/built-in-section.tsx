import { BUILT_IN_VARIABLES, type BuiltInVariable } from '@vedette/schema'
import { Section } from '../../../components/section.tsx'

const words: { readonly [V in BuiltInVariable]: string } = {
  ACCOUNT_ID: 'The id of the account.',
  CHECK_ID: 'The id of the check.',
  CHECK_NAME: 'The name of the check.',
  CHECK_TYPE: 'The kind of the check.',
  CHECK_RESULT_ID: 'The id of this attempt.',
  CHECK_RUN_ID: 'The id of the run that the attempt belongs to.',
  ENVIRONMENT_NAME: 'The name of the environment that a trigger was called with.',
  ENVIRONMENT_URL: 'The environment that a trigger was called with.',
  GROUP_BASE_URL: 'The base URL in the defaults of the group.',
  REGION: 'The location of the run.',
  REQUEST_URL: 'The address of the request: in headers, body and assertions.',
  RUNTIME_VERSION: 'The runtime that the check asks for, or else its group or the account.',
}

/** What every run has. */
export function BuiltInSection() {
  return (
    <Section title="Built in">
      <p className="mb-4 text-[0.875rem] text-soft">
        Every run has these. They are set last: a variable of the same name is not seen.
      </p>
      <dl className="grid gap-x-8 gap-y-3 text-[0.875rem] sm:grid-cols-2">
        {BUILT_IN_VARIABLES.map((name) => (
          <div key={name} className="min-w-0">
            <dt className="font-mono text-[0.8125rem] break-all">{name}</dt>
            <dd className="text-soft">{words[name]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
