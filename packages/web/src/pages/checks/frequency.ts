/** How often a check runs, as one value: minutes, or seconds where the frequency is 0. */
import { FREQUENCIES, SCRIPT_FREQUENCIES } from '@vedette/schema'
import type { Option } from '../../components/field.tsx'

export type Frequency = (typeof FREQUENCIES)[number]
export const SECONDS = [10, 20, 30] as const

export function frequencyWords(frequency: number, frequencyOffset: number): string {
  if (frequency === 0) return `every ${frequencyOffset} s`
  if (frequency < 60) return `every ${frequency} min`
  return frequency < 1440 ? `every ${frequency / 60} h` : 'once a day'
}

export const frequencyOptions: Option<string>[] = [
  ...SECONDS.map((seconds) => ({ value: `${seconds}s`, label: frequencyWords(0, seconds) })),
  ...FREQUENCIES.filter((minutes) => minutes > 0).map((minutes) => ({
    value: `${minutes}`,
    label: frequencyWords(minutes, 0),
  })),
]

/** Scripts do not run several times a minute. */
export const scriptFrequencyOptions: Option<string>[] = SCRIPT_FREQUENCIES.map((minutes) => ({
  value: `${minutes}`,
  label: frequencyWords(minutes, 0),
}))

export const toOption = (frequency: number, frequencyOffset: number): string =>
  frequency === 0 ? `${frequencyOffset}s` : `${frequency}`

/** Above 0 the offset is a phase, which the server chooses so that checks spread out. */
export function fromOption(option: string): { frequency: Frequency; frequencyOffset: number | undefined } {
  const number = Number.parseInt(option, 10)
  if (option.endsWith('s')) return { frequency: 0, frequencyOffset: number }
  return { frequency: FREQUENCIES.find((minutes) => minutes === number) ?? 1, frequencyOffset: undefined }
}

export type ScriptFrequency = (typeof SCRIPT_FREQUENCIES)[number]
export const scriptFrequency = (option: string): ScriptFrequency =>
  SCRIPT_FREQUENCIES.find((minutes) => `${minutes}` === option) ?? 10
