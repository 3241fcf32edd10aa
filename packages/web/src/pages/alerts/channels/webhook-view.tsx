import { HTTP_METHODS } from '@vedette/schema'
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
      <TextField
        label="Name"
        required
        maxLength={255}
        value={config.name}
        error={errorOf('config.name')}
        onChange={(name) => set({ name })}
      />
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <TextField
          label="URL"
          hint="May hold templates such as {{CHECK_NAME}}."
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
            hint="Empty sends a JSON object with all that is known of the alert."
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
