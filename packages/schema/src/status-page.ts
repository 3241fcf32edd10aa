/** A public page that says how services are doing. */
import Type, { type Static } from 'typebox'
import { CustomDomain, PageLink, SubDomain } from './dashboard.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'
import { StatusPageIncident } from './status-page-incident.ts'
import { ServiceReference, StatusPageService } from './status-page-service.ts'

export const THEMES = ['LIGHT', 'DARK', 'AUTO'] as const

const Colour = Type.String({
  pattern: '^#([0-9A-F]{3}|[0-9A-F]{6})$',
  description: '`#` with 3 or 6 hexadecimal digits in upper case.',
})
const Colours = Type.Object({
  bodyBackgroundColor: Colour,
  headerBackgroundColor: Colour,
  headerFontColor: Colour,
  titleFontColor: Colour,
  bodyFontColor: Colour,
  bodyFontColorMuted: Colour,
  navigationFontColor: Colour,
  linkFontColor: Colour,
  cardBackgroundColor: Colour,
  borderColor: Colour,
  primaryButtonBackgroundColor: Colour,
  primaryButtonFontColor: Colour,
})
export const ThemeColors = Type.Object({ light: Type.Optional(Colours), dark: Type.Optional(Colours) })
export type ThemeColors = Static<typeof ThemeColors>

const CardWrite = Type.Object({
  id: Type.Optional(
    Nullable(Type.String({ maxLength: 100 }), {
      description: 'Of a card that the page has already: it stays the same.',
    }),
  ),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  services: Type.Array(ServiceReference, { maxItems: 100 }),
})
export type StatusPageCardWrite = Static<typeof CardWrite>

/** How a page looks. */
export const StatusPageSettings = Type.Object({
  logo: PageLink(),
  logoDark: PageLink(),
  favicon: PageLink(),
  redirectTo: PageLink('Where the logo leads.'),
  description: Nullable(Type.String({ maxLength: 500 }), { default: null }),
  defaultTheme: Type.Enum(THEMES, { default: 'AUTO' }),
  themeColors: Nullable(ThemeColors, { default: null }),
})
export type StatusPageSettings = Static<typeof StatusPageSettings>

/** The same for a new page and for a change; a change leaves absent fields as they are. */
export const StatusPageWrite = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  url: SubDomain,
  customDomain: Type.Optional(CustomDomain),
  cards: Type.Array(CardWrite, { maxItems: 100 }),
  ...Type.Partial(StatusPageSettings).properties,
})
export type StatusPageWrite = Static<typeof StatusPageWrite>

const StatusPageCard = Type.Object({
  id: Uuid,
  name: Type.String(),
  services: Type.Array(StatusPageService),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type StatusPageCard = Static<typeof StatusPageCard>

export const StatusPage = Type.Object({
  id: Uuid,
  accountId: Uuid,
  name: Type.String(),
  url: Type.String(),
  customDomain: Nullable(Type.String()),
  ...StatusPageSettings.properties,
  whiteLabel: Type.Boolean({ description: 'Whether the page goes without our name.' }),
  cards: Type.Array(StatusPageCard),
  incidents: Type.Array(StatusPageIncident, { description: 'The newest 20 of the services that it shows.' }),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type StatusPage = Static<typeof StatusPage>

export const SUBSCRIPTION_STATUSES = ['PENDING', 'VERIFIED'] as const

export const StatusPageSubscription = Type.Object({
  id: Uuid,
  type: Type.Enum(['EMAIL']),
  address: Type.String(),
  status: Type.Enum(SUBSCRIPTION_STATUSES),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type StatusPageSubscription = Static<typeof StatusPageSubscription>

export const BulkSubscription = Type.Object({
  subscriptions: Type.Array(
    Type.Object({
      type: Type.Optional(Type.Enum(['EMAIL'], { default: 'EMAIL' })),
      address: Type.String({ format: 'email', maxLength: 254 }),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
  autoVerify: Type.Optional(
    Type.Boolean({ default: false, description: 'Take the addresses for verified: their owners have agreed already.' }),
  ),
})

export const BulkSubscriptionOutcome = Type.Object({
  created: Type.Integer(),
  skipped: Type.Integer({ description: 'Were subscribed already, or named twice.' }),
  status: Type.Enum(SUBSCRIPTION_STATUSES),
})
