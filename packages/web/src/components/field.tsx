/** A labelled control with its hint and its error, tied together for assistive technology. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useMemo,
} from 'react'

interface Frame {
  label: ReactNode
  hint?: ReactNode
  /** What the writer may want to know of the value; it hinders nobody. */
  note?: string | undefined
  error?: string | undefined
  className?: string
}

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

export function Field({
  label,
  hint,
  note,
  error,
  className,
  children,
}: Frame & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-[0.8125rem] font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-[0.8125rem] text-faint">
          {hint}
        </p>
      )}
      <FieldNote id={`${id}-note`} note={note} />
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

export function FieldError({ id, error }: { id?: string; error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p id={id} className="mt-1 text-[0.8125rem] font-medium text-bad">
      {error}
    </p>
  )
}

export function FieldNote({ id, note }: { id?: string; note: string | undefined }) {
  if (note === undefined) return null
  return (
    <p id={id} className="mt-1 text-[0.8125rem] break-words text-warn">
      {note}
    </p>
  )
}

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> &
  Frame & { value: string; onChange: (value: string) => void }

export function TextField({ label, hint, note, error, className, onChange, ...rest }: Input) {
  return (
    <Field label={label} hint={hint} note={note} error={error} className={className}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...control}
          className="control"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type Area = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> &
  Frame & { value: string; onChange: (value: string) => void; code?: boolean }

export function TextArea({ label, hint, note, error, className, onChange, code = false, ...rest }: Area) {
  return (
    <Field label={label} hint={hint} note={note} error={error} className={className}>
      {(control) => (
        <textarea
          rows={4}
          spellCheck={!code}
          {...rest}
          {...control}
          className={`control ${code ? 'font-mono text-[0.8125rem]!' : ''}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export interface Option<Value extends string> {
  value: Value
  label: string
}

type Select<Value extends string> = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> &
  Frame & { value: Value; options: readonly Option<Value>[]; onChange: (value: Value) => void }

export function SelectField<Value extends string>({ label, hint, note, error, className, ...rest }: Select<Value>) {
  return (
    <Field label={label} hint={hint} note={note} error={error} className={className}>
      {(control) => <SelectControl {...rest} {...control} />}
    </Field>
  )
}

/** A select without a visible label, for rows of tables: give it an `aria-label`. */
export function SelectControl<Value extends string>({
  options,
  onChange,
  className,
  ...rest
}: Omit<Select<Value>, 'label' | 'hint' | 'note' | 'error'>) {
  // There may be thousands.
  const elements = useMemo(
    () =>
      options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      )),
    [options],
  )
  return (
    <select
      {...rest}
      className={`control ${className ?? ''}`}
      onChange={(event) => {
        const chosen = options.find(({ value }) => value === event.target.value)
        if (chosen) onChange(chosen.value)
      }}
    >
      {elements}
    </select>
  )
}

interface Check {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

export function CheckboxField({ label, hint, checked, onChange, disabled }: Check) {
  const id = useId()
  return (
    <div className="flex gap-2.5">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className="text-[0.875rem] font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-[0.8125rem] text-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
