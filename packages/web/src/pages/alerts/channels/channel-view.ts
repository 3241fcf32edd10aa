/** What the web application must know of a channel type. */
import type { ChannelConfig, ChannelType } from '@vedette/schema'
import type { ComponentType } from 'react'

export interface ChannelView<T extends ChannelType> {
  label: string
  blank: ChannelConfig<T>
  /** Where messages go, in one line; null when the title says it. */
  destination: (config: ChannelConfig<T>) => string | null
  Fields: ComponentType<ChannelFieldsProps<T>>
}

export interface ChannelFieldsProps<T extends ChannelType> {
  config: ChannelConfig<T>
  set: (changes: Partial<ChannelConfig<T>>) => void
  errorOf: (key: string) => string | undefined
}
