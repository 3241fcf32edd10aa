import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Notice } from '../../../components/notice.tsx'

/** Says that what is shown came with an earlier run; the children say what is kept and when. */
export function SameAs({ checkId, resultId, children }: { checkId: string; resultId: string; children: ReactNode }) {
  return (
    <Notice tone="idle" icon="copy">
      {children} This answer was the same as{' '}
      <Link to="/checks/$checkId/results/$resultId" params={{ checkId, resultId }} className="link">
        that of an earlier run
      </Link>
      , which is shown here.
    </Notice>
  )
}
