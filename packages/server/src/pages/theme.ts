/** The colours of a public page, as CSS variables. */
import type { THEMES, ThemeColors } from '@vedette/schema'

type Colours = Required<ThemeColors>['light']
export type Theme = (typeof THEMES)[number]

const LIGHT: Colours = {
  bodyBackgroundColor: '#F6F8FA',
  headerBackgroundColor: '#FFFFFF',
  headerFontColor: '#1F2328',
  titleFontColor: '#1F2328',
  bodyFontColor: '#1F2328',
  bodyFontColorMuted: '#59636E',
  navigationFontColor: '#1F2328',
  linkFontColor: '#0550AE',
  cardBackgroundColor: '#FFFFFF',
  borderColor: '#D1D9E0',
  primaryButtonBackgroundColor: '#0550AE',
  primaryButtonFontColor: '#FFFFFF',
}
const DARK: Colours = {
  bodyBackgroundColor: '#0D1117',
  headerBackgroundColor: '#161B22',
  headerFontColor: '#F0F6FC',
  titleFontColor: '#F0F6FC',
  bodyFontColor: '#F0F6FC',
  bodyFontColorMuted: '#9DA7B3',
  navigationFontColor: '#F0F6FC',
  linkFontColor: '#6CB6FF',
  cardBackgroundColor: '#161B22',
  borderColor: '#3D444D',
  primaryButtonBackgroundColor: '#1158C7',
  primaryButtonFontColor: '#FFFFFF',
}
/** What means something has its own colours: on the default backgrounds they can be told apart and read. */
const LIGHT_STATES = '--good:#1A7F37;--some:#9A6700;--bad:#CF222E;--planned:#0550AE;--unknown:#818B98'
const DARK_STATES = '--good:#3FB950;--some:#D29922;--bad:#F85149;--planned:#58A6FF;--unknown:#6E7681'

const COLOUR = /^#([0-9A-F]{3}|[0-9A-F]{6})$/

/** Style rules that set the variables; with AUTO they follow what the reader's system prefers. */
export function themeStyle(theme: Theme, colours: ThemeColors | null): string {
  const light = `color-scheme:light;${LIGHT_STATES};${variables(LIGHT, colours?.light)}`
  const dark = `color-scheme:dark;${DARK_STATES};${variables(DARK, colours?.dark)}`
  if (theme === 'LIGHT') return `:root{${light}}`
  if (theme === 'DARK') return `:root{${dark}}`
  return `:root{${light}}@media(prefers-color-scheme:dark){:root{${dark}}}`
}

/** `bodyFontColor` becomes `--body-font-color`. What is no colour gets no chance to be anything else. */
function variables(usual: Colours, wanted: Colours | undefined): string {
  const given = new Map(Object.entries(wanted ?? {}))
  return Object.entries(usual)
    .map(([name, colour]) => {
      const own = given.get(name)
      const variable = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      return `--${variable}:${own !== undefined && COLOUR.test(own) ? own : colour}`
    })
    .join(';')
}
