/** The sign of the house: a lookout with raised arms, lantern overhead. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" focusable="false" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="#12323e" />
      <path
        d="M7 10.5 16 25l9-14.5"
        fill="none"
        stroke="#f3f6f4"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="9.5" r="3.5" fill="#f2ac34" />
    </svg>
  )
}
