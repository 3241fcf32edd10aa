import { BASELINE_DEFAULTS, BASELINE_RULES, type BaselineRule, RULE_SEVERITIES, TLS_VERSIONS } from '@vedette/schema'
import { CheckboxField, FieldError, SelectControl } from '../../../../components/field.tsx'
import type { PartProps } from '../kind-view.ts'
import { ruleWords, severityWords } from './baseline-words.ts'
import type { BaselineDraft, SslDraft } from './draft.ts'

const severities = RULE_SEVERITIES.map((value) => ({ value, label: severityWords[value].breaking }))
const versions = TLS_VERSIONS.map((value) => ({ value, label: value }))

const PATH = 'request.sslConfig.securityBaseline'

/** A line a rule: what it wants, how much of it, and what breaking it does. */
export function BaselineFields({ draft: { baseline }, set, errorOf }: PartProps<SslDraft>) {
  const change = (changes: Partial<BaselineDraft>) => set({ baseline: { ...baseline, ...changes } })
  return (
    <fieldset>
      <legend className="mb-3 text-[0.9375rem] font-semibold">Security baseline</legend>
      <CheckboxField
        label="Judge how safely the server speaks TLS"
        hint="Whatever else is asserted. A result shows a grade and which rules are broken."
        checked={baseline.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      {baseline.enabled && (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {BASELINE_RULES.map((rule) => (
            <li
              key={rule}
              className="grid grid-cols-2 items-center gap-x-2 gap-y-1.5 py-2 sm:grid-cols-[1fr_7.5rem_10rem] sm:gap-x-3"
            >
              <span
                className={`text-[0.875rem] sm:col-span-1 ${'value' in BASELINE_DEFAULTS[rule] ? 'col-span-2' : ''}`}
              >
                {ruleWords[rule].wanted}
              </span>
              <RuleValue rule={rule} baseline={baseline} change={change} />
              <SelectControl
                aria-label={`${ruleWords[rule].wanted}: what breaking it does`}
                className="col-start-2 sm:col-start-3"
                value={baseline.severities[rule]}
                options={severities}
                onChange={(severity) => change({ severities: { ...baseline.severities, [rule]: severity } })}
              />
              <div className="col-span-full empty:hidden">
                <FieldError error={errorOf(`${PATH}.${rule}`)} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

interface RuleValueProps {
  rule: BaselineRule
  baseline: BaselineDraft
  change: (changes: Partial<BaselineDraft>) => void
}

function RuleValue({ rule, baseline, change }: RuleValueProps) {
  const label = ruleWords[rule].wanted
  switch (rule) {
    case 'minTLSVersion':
    case 'recommendedTLSVersion':
      return (
        <SelectControl
          aria-label={label}
          value={baseline[rule]}
          options={versions}
          onChange={(version) => change({ [rule]: version })}
        />
      )
    case 'minKeySizeBits':
    case 'recommendedKeySizeBits':
      return (
        <input
          type="number"
          className="control"
          aria-label={label}
          required
          min={512}
          max={16_384}
          value={baseline[rule]}
          onChange={(event) => change({ [rule]: event.target.value })}
        />
      )
    default:
      return null
  }
}
