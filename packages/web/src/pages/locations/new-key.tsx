import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'

interface NewKeyProps {
  place: string
  rawKey: string
  onClose: () => void
}

/** A key is shown this once; the server keeps no copy that it could show again. */
export function NewKey({ place, rawKey, onClose }: NewKeyProps) {
  return (
    <Dialog title={`Key for ${place}`} onClose={onClose} size="wide">
      <p className="mb-3">
        Copy it now: it is not shown again. Whoever has it can run the checks of this location, so keep it as you keep
        passwords.
      </p>
      <Copy label="Location key" text={rawKey} />
      <p className="mt-5 mb-2 text-soft">Start a runner with it on a machine in that place:</p>
      <Copy
        label="Command that starts a runner"
        text={`SERVER_URL=${location.origin} API_KEY=${rawKey} vedette agent`}
      />
      <div className="mt-5 flex justify-end">
        <Button look="primary" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  )
}
