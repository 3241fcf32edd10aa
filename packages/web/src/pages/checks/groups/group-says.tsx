/** Beside a field of a check: what its group says about it. */
export function GroupSays({ text }: { text: string }) {
  return (
    <span className="text-[0.8125rem] text-soft">
      <span className="mr-1.5 inline-block rounded bg-accent-soft px-1.5 text-xs font-semibold text-accent-strong">
        Group
      </span>
      {text}
    </span>
  )
}

/** As the hint of a field; the usual one where the group says nothing. */
export const groupHint = (text: string | null, usual?: string) => (text === null ? usual : <GroupSays text={text} />)
