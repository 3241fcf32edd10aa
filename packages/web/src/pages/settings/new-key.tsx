import { Copy } from '../../components/copy.tsx'

interface NewKeyProps {
  /** What kind of key it is, in words. */
  label: string
  created: { id: string; name: string; rawKey: string }
}

/** Shown this once. */
export function NewKey({ label, created: { id, name, rawKey } }: NewKeyProps) {
  return (
    <div role="status" className="mt-4 space-y-2 rounded-lg bg-accent-soft p-4">
      <p className="font-semibold">The key “{name}”</p>
      <p className="text-[0.875rem] text-soft">Copy it now: it is not shown again.</p>
      <Copy key={id} label={label} text={rawKey} />
    </div>
  )
}
