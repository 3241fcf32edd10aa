/** Light or dark: the reader's choice, or else the system's. */
import { useSyncExternalStore } from 'react'

export const THEME_CHOICES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]
export type Theme = 'light' | 'dark'

const STORED_AS = 'vedette-theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let choice: ThemeChoice = readChoice()

export const themeOf = (of: ThemeChoice): Theme => (of === 'system' ? (system.matches ? 'dark' : 'light') : of)

export function applyTheme(): void {
  document.documentElement.dataset.theme = themeOf(choice)
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next
  try {
    localStorage.setItem(STORED_AS, next)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  announceChange()
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, () => choice)
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => themeOf(choice))

system.addEventListener('change', announceChange)

function announceChange(): void {
  applyTheme()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORED_AS)
    return THEME_CHOICES.find((one) => one === stored) ?? 'system'
  } catch {
    return 'system'
  }
}
