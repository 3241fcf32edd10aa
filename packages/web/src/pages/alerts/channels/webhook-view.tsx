import { HTTP_METHODS, presetOf, WEBHOOK_PRESETS, type WebhookConfig } from '@vedette/schema'
import { Disclosure } from '../../../components/disclosure.tsx'
import { SelectField, TextArea, TextField } from '../../../components/field.tsx'
import { KeyValues } from '../../../components/key-values.tsx'
import type { ChannelView } from './channel-view.ts'

export const webhookView: ChannelView<'WEBHOOK'> = {
  label: 'Webhook',
  blank: { name: '', url: '', method: 'POST', template: null, headers: [], queryParameters: [], webhookSecret: null },
  destination: ({ method, url }) => `${method ?? 'POST'} ${url}`,
  Fields: ({ config, set, errorOf }) => (
    <div className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          required
          maxLength={255}
          value={config.name}
          error={errorOf('config.name')}
          onChange={(name) => set({ name })}
        />
        <SelectField
          label="Made for"
          hint="Fills in the body that the service understands."
          value={config.webhookType ?? ''}
          options={madeFor(config.webhookType)}
          onChange={(type) => set(filledFor(type, config))}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <TextField
          label="URL"
          hint={presetOf(config.webhookType)?.url ?? 'May hold templates such as {{CHECK_NAME}}.'}
          required
          maxLength={2048}
          inputMode="url"
          value={config.url}
          error={errorOf('config.url')}
          onChange={(url) => set({ url })}
        />
        <SelectField
          label="Method"
          value={config.method ?? 'POST'}
          options={HTTP_METHODS.map((value) => ({ value, label: value }))}
          onChange={(method) => set({ method })}
        />
      </div>
      <Disclosure summary="Body, headers and signature">
        <div className="space-y-4 pb-2">
          <TextArea
            code
            label="Body template"
            hint={
              presetOf(config.webhookType) === undefined
                ? 'Empty sends a JSON object with all that is known of the alert.'
                : 'Empty sends the body for this service.'
            }
            placeholder='{"text": "{{ALERT_TITLE}}: {{RESULT_LINK}}"}'
            value={config.template ?? ''}
            error={errorOf('config.template')}
            onChange={(template) => set({ template: template === '' ? null : template })}
          />
          <TextField
            label="Secret"
            hint="Signs the body with HMAC-SHA256, so that the receiver knows it came from here."
            type="password"
            autoComplete="new-password"
            value={config.webhookSecret ?? ''}
            error={errorOf('config.webhookSecret')}
            onChange={(secret) => set({ webhookSecret: secret === '' ? null : secret })}
          />
          <KeyValues
            legend="Headers"
            noun="header"
            items={config.headers ?? []}
            onChange={(headers) => set({ headers })}
          />
          <KeyValues
            legend="Query parameters"
            noun="query parameter"
            items={config.queryParameters ?? []}
            onChange={(queryParameters) => set({ queryParameters })}
          />
        </div>
      </Disclosure>
    </div>
  ),
}

/** A type that a client of the API chose and that we have no template for stays what it is. */
function madeFor(current: string | null | undefined) {
  const known = WEBHOOK_PRESETS.map(({ type, label }) => ({ value: type, label }))
  const isKnown = !current || presetOf(current) !== undefined
  return [{ value: '', label: 'Anything else' }, ...known, ...(isKnown ? [] : [{ value: current, label: current }])]
}

/** Fills in what a service wants. What the one before wanted goes; what the user wrote stays. */
function filledFor(type: string, { webhookType, template, headers, queryParameters }: WebhookConfig) {
  const before = presetOf(webhookType)
  const preset = presetOf(type)
  const isOwn = template && template !== before?.template
  const ownHeaders = (headers ?? []).filter(
    ({ key, value }) => !before?.headers.some((other) => other.key === key && other.value === value),
  )
  const ownParameters = (queryParameters ?? []).filter(
    ({ key, value }) => value !== '' || !before?.queryParameters.includes(key),
  )
  const missing = (key: string, among: readonly { key: string }[]) =>
    !among.some((other) => other.key.toLowerCase() === key.toLowerCase())
  const parameters = (preset?.queryParameters ?? []).filter((key) => missing(key, ownParameters))
  return {
    webhookType: type === '' ? null : type,
    method: 'POST' as const,
    template: isOwn ? template : (preset?.template ?? null),
    headers: [...ownHeaders, ...(preset?.headers ?? []).filter(({ key }) => missing(key, ownHeaders))],
    queryParameters: [...ownParameters, ...parameters.map((key) => ({ key, value: '', locked: false }))],
  }
}
