import type { CodeBundle } from '@vedette/schema'
import { useEffect, useId, useRef, useState } from 'react'
import { uploadBundle } from '../../../../api/upload-bundle.ts'
import { Button } from '../../../../components/button.tsx'
import { Field, TextField } from '../../../../components/field.tsx'
import { Icon } from '../../../../components/icon.tsx'
import { formatBytes, formatPercent, plural } from '../../../../components/number.ts'
import type { PartProps } from '../kind-view.ts'
import type { SuiteDraft } from './draft.ts'

type Upload =
  | { is: 'idle' }
  | { is: 'under-way'; name: string; share: number }
  | { is: 'done'; name: string; bundle: CodeBundle }
  | { is: 'refused'; name: string; reason: string }

/** The project is uploaded as soon as its archive is chosen; the check then names what the server calls it. */
export function ProjectUpload({ draft, set, errorOf }: PartProps<SuiteDraft>) {
  const { upload, start, stop } = useUpload(({ codeBundlePath }, fileName) => set({ codeBundlePath, fileName }))
  const input = useRef<HTMLInputElement>(null)
  const isUnderWay = upload.is === 'under-way'
  // Whoever sends the form meanwhile would name the project that is to be replaced.
  useEffect(
    () => input.current?.setCustomValidity(isUnderWay ? 'Wait until the archive is uploaded.' : ''),
    [isUnderWay],
  )
  return (
    <fieldset className="space-y-4">
      <legend className="sr-only">Project</legend>
      <Field
        label="Archive of the project"
        hint={
          <>
            A tar.gz of the folder, 50 MiB at most:{' '}
            <code className="break-words">tar czf shop.tar.gz --exclude=./node_modules -C shop .</code>
          </>
        }
        error={upload.is === 'refused' ? `${upload.name} was not taken. ${upload.reason}` : undefined}
      >
        {(control) => (
          <input
            {...control}
            ref={input}
            type="file"
            accept=".tgz,.gz,application/gzip"
            className="control file:mr-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-semibold file:text-accent"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) start(file)
            }}
          />
        )}
      </Field>
      {upload.is === 'under-way' && <Progress share={upload.share} name={upload.name} stop={stop} />}
      {upload.is === 'done' && (
        <p role="status" className="flex items-center gap-2 text-[0.875rem]">
          <Icon name="check" className="text-good" />
          <span className="min-w-0 break-words">
            {upload.name} is uploaded: {plural(upload.bundle.files, 'file')}, {formatBytes(upload.bundle.size)}.
          </span>
        </p>
      )}
      <TextField
        label="Bundle"
        hint="The upload fills it in. Or paste what “vedette bundle” printed."
        placeholder="bundles/….tar.gz"
        required
        maxLength={2000}
        spellCheck={false}
        autoCapitalize="none"
        value={draft.codeBundlePath}
        error={errorOf('codeBundlePath')}
        onChange={(codeBundlePath) => set({ codeBundlePath })}
      />
    </fieldset>
  )
}

function Progress({ share, name, stop }: { share: number; name: string; stop: () => void }) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-[0.875rem]">
      <label htmlFor={id} className="min-w-0 break-words">
        {/* All of it is sent before the server has looked at all of it. */}
        {share < 1 ? `Uploading ${name}` : `The server looks at ${name}`}
      </label>
      <progress id={id} max={1} value={share} className="h-2.5 min-w-32 flex-1 accent-accent" />
      <span className="text-soft">{formatPercent(Math.floor(share * 100))}</span>
      <Button look="quiet" onClick={stop}>
        Stop
      </Button>
    </div>
  )
}

function useUpload(onDone: (bundle: CodeBundle, fileName: string) => void) {
  const [upload, setUpload] = useState<Upload>({ is: 'idle' })
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  const start = async (file: File) => {
    under.current?.abort()
    const ending = new AbortController()
    under.current = ending
    const { name } = file
    const tell = (next: Upload) => {
      if (!ending.signal.aborted) setUpload(next)
    }
    tell({ is: 'under-way', name, share: 0 })
    try {
      const onProgress = (share: number) => tell({ is: 'under-way', name, share })
      const bundle = await uploadBundle(file, { onProgress, signal: ending.signal })
      if (ending.signal.aborted) return
      onDone(bundle, name)
      tell({ is: 'done', name, bundle })
    } catch (error) {
      tell({ is: 'refused', name, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  const stop = () => {
    under.current?.abort()
    setUpload({ is: 'idle' })
  }
  return { upload, start: (file: File) => void start(file), stop }
}
