import { AssertionsEditor } from '../assertions/assertions-editor.tsx'
import { HttpConnectionFields } from '../http-connection-fields.tsx'
import type { PartProps } from '../kind-view.ts'
import { ThresholdFields } from '../threshold-fields.tsx'
import type { UrlDraft } from './draft.ts'

export function UrlMore(props: PartProps<UrlDraft>) {
  return (
    <>
      <AssertionsEditor
        {...props}
        among={['STATUS_CODE']}
        path="request.assertions"
        hint="Without any, a run passes when an answer comes in time and its status is below 400."
      />
      <ThresholdFields {...props} highest={30_000} />
      <HttpConnectionFields {...props} />
    </>
  )
}
