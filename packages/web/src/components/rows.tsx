/** An editor for a list: a row each, with buttons to add and to remove. */
import type { ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'

interface RowsProps<Item> {
  /** What one row is, in words: “header”. */
  noun: string
  items: readonly Item[]
  blank: Item
  onChange: (items: Item[]) => void
  children: (item: Item, set: (changes: Partial<Item>) => void, index: number) => ReactNode
}

export function Rows<Item>({ noun, items, blank, onChange, children }: RowsProps<Item>) {
  return (
    <div className="space-y-5 sm:space-y-2">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own and are never reordered
        <div key={index} className="flex items-start gap-2 max-sm:border-l-2 max-sm:border-line max-sm:pl-3">
          <div className="min-w-0 flex-1">
            {children(
              item,
              (changes) => onChange(items.map((old, at) => (at === index ? { ...old, ...changes } : old))),
              index,
            )}
          </div>
          <IconButton
            icon="trash"
            label={`Remove ${noun} ${index + 1}`}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...items, blank])}>
        Add {noun}
      </Button>
    </div>
  )
}
