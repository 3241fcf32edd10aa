/** Line icons on a 16-unit grid, drawn in the colour of the text around them. Always beside a word, so hidden from readers. */
const paths = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  slow: 'M8 4.5V8l2.5 1.5M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z',
  question: 'M5.8 6a2.2 2.2 0 1 1 3 2.1c-.6.3-.8.7-.8 1.4M8 12v.1',
  wrench:
    'M10.2 2.6a3.6 3.6 0 0 0-4.6 4.6L2.4 10.4a1.5 1.5 0 0 0 0 2.2l1 1a1.5 1.5 0 0 0 2.2 0l3.2-3.2a3.6 3.6 0 0 0 4.6-4.6l-2.2 2.2-2.2-.6-.6-2.2Z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6l8-4.8Z',
  mute: 'M2.5 6.3v3.4h2L8 12.5v-9L4.5 6.3ZM10.7 6.3l3.1 3.4M13.8 6.3l-3.1 3.4',
  sound: 'M2.5 6.3v3.4h2L8 12.5v-9L4.5 6.3ZM10.5 6a3 3 0 0 1 0 4M12.3 4.2a5.4 5.4 0 0 1 0 7.6',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14',
  list: 'M6 4h8M6 8h8M6 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
  group: 'M2.5 2.5h4.5V7H2.5ZM9 2.5h4.5V7H9ZM2.5 9H7v4.5H2.5ZM9 9h4.5v4.5H9Z',
  bell: 'M4 7a4 4 0 1 1 8 0c0 3 1.3 4 1.3 4H2.7S4 10 4 7ZM6.7 13.5h2.6',
  pin: 'M8 14s4.8-4.2 4.8-7.5A4.8 4.8 0 0 0 3.2 6.5C3.2 9.8 8 14 8 14ZM8 8.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Z',
  gauge: 'M2.5 12a6 6 0 1 1 11 0M8 10l2.8-3.6',
  settings: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9Z',
  copy: 'M6 5.5h7v8H6ZM3.5 10.5H3v-8h7V3',
  external: 'M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  key: 'M10 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM7.5 8.5 2.5 13.5M4.5 11.5l1.5 1.5',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  pencil: 'M3 13l.7-2.8L10.5 3.4l2.1 2.1-6.8 6.8Z',
  up: 'M8 13V3M4 7l4-4 4 4',
  leave: 'M9.5 5V3H3v10h6.5v-2M6.5 8H14M11.5 5.5 14 8l-2.5 2.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      className={`shrink-0 ${className ?? ''}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  )
}
