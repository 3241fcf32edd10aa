import { BUILT_IN_VARIABLES, SECRET_PREFIX, type Variable } from '@vedette/schema'
import { type FormEvent, useState } from 'react'
import { complaintsIn } from '../../../api/complaints.ts'
import { isRefusal } from '../../../api/refusal.ts'
import { useSaveVariable } from '../../../api/save-variable.ts'
import { VISIBILITIES, visibilityOf, visibilityWords } from '../../../api/visibility.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'

interface VariableDialogProps {
  /** Null adds a variable. */
  variable: Variable | null
  onClose: () => void
}

export function VariableDialog({ variable, onClose }: VariableDialogProps) {
  const save = useSaveVariable()
  const [key, setKey] = useState(variable?.key ?? '')
  const [value, setValue] = useState(variable?.value ?? '')
  const [visibility, setVisibility] = useState(variable === null ? 'plain' : visibilityOf(variable))
  const { at } = complaintsIn(save.error)
  const keyError = at('key') ?? (isRefusal(save.error, 409) ? save.error?.message : undefined)
  const isSecret = variable?.secret === true

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const locked = isSecret ? variable.locked : visibility === 'locked'
    const body = { key: key.trim(), value, locked, secret: visibility === 'secret' }
    save.mutate({ isNew: variable === null, body }, { onSuccess: onClose })
  }
  return (
    <Dialog title={variable === null ? 'Add a variable' : `Edit ${variable.key}`} onClose={onClose} size="wide">
      <form onSubmit={submit} className="space-y-4">
        {variable === null && (
          <TextField
            label="Name"
            hint="Letters, digits and underscores, not beginning with a digit. It cannot be changed later."
            note={noteOf(key.trim())}
            required
            maxLength={200}
            placeholder="SHOP_HOST"
            autoCapitalize="characters"
            spellCheck={false}
            value={key}
            error={keyError}
            onChange={setKey}
          />
        )}
        <SelectField
          label="Who may read it"
          hint={visibilityWords[visibility].about}
          disabled={isSecret}
          value={visibility}
          options={VISIBILITIES.map((value) => ({ value, label: visibilityWords[value].label }))}
          error={at('locked') ?? at('secret')}
          onChange={setVisibility}
        />
        <TextArea
          label={isSecret ? 'New value' : 'Value'}
          hint={isSecret ? 'The present value is never shown again. What you write here replaces it.' : undefined}
          code
          required
          rows={4}
          maxLength={65_536}
          autoComplete="off"
          value={value}
          error={at('value')}
          onChange={setValue}
        />
        {save.error && keyError === undefined && <Notice tone="bad">{save.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {variable === null ? 'Add the variable' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const builtIn: readonly string[] = BUILT_IN_VARIABLES

function noteOf(key: string): string | undefined {
  if (builtIn.includes(key)) return 'A built-in variable has this name: yours will not be seen.'
  if (key.startsWith(SECRET_PREFIX)) return 'What scripts give to a name that begins so is treated as a secret.'
  return undefined
}
