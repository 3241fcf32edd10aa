/** A board that shows the state of checks to everybody who knows its address, or to holders of a key. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const DASHBOARD_WIDTHS = ['FULL', '960PX'] as const
/** Seconds. */
export const REFRESH_RATES = [60, 300, 600] as const
export const PAGINATION_RATES = [30, 60, 300] as const

/** A sub-domain: one label of a host name. */
export const SubDomain = Type.String({
  maxLength: 63,
  description: 'Letters, digits and hyphens; kept in lower case. Unique in the whole installation.',
})
/** A host name of the owner’s. */
export const CustomDomain = Nullable(
  Type.String({ maxLength: 253, description: 'A host name; kept in lower case. Unique in the whole installation.' }),
)
/** A link that a page shows. */
export const PageLink = (purpose = 'The address of an image.') =>
  Nullable(Type.String({ maxLength: 2048 }), {
    default: null,
    description: `${purpose} Begins with \`https://\`, or with a single \`/\` for the page’s own host.`,
  })

/** A key that opens a private page. `rawKey` is filled only in the answer that creates it. */
export const PageKey = Type.Object({
  id: Uuid,
  rawKey: Type.String(),
  maskedKey: Type.String(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type PageKey = Static<typeof PageKey>

const Header = Type.String({ minLength: 1, maxLength: 500, description: 'The text at the top.' })

/** All that is set on a dashboard, apart from its addresses. */
export const DashboardSettings = Type.Object({
  header: Nullable(Header),
  logo: PageLink(),
  favicon: PageLink(),
  link: PageLink('Where the logo leads.'),
  description: Nullable(Type.String({ maxLength: 5000 }), { default: null, description: 'Text below the header.' }),
  width: Type.Enum(DASHBOARD_WIDTHS, { default: 'FULL' }),
  refreshRate: Type.Enum(REFRESH_RATES, { default: 60, description: 'Seconds.' }),
  paginate: Type.Boolean({ default: true }),
  paginationRate: Type.Enum(PAGINATION_RATES, { default: 60, description: 'Seconds.' }),
  checksPerPage: Nullable(Type.Integer({ minimum: 1, maximum: 20 }), { default: 15 }),
  useTagsAndOperator: Nullable(Type.Boolean(), {
    default: false,
    description: 'Show checks that have all of the tags, not any.',
  }),
  hideTags: Type.Boolean({ default: false }),
  enableIncidents: Type.Boolean({ default: false, description: 'Show incidents.' }),
  expandChecks: Type.Boolean({ default: false }),
  tags: Type.Array(Type.String({ maxLength: 255 }), {
    maxItems: 100,
    default: [],
    description: 'Which checks are shown; without tags, all.',
  }),
  showHeader: Type.Boolean({ default: true, description: 'Show header and description.' }),
  showCheckRunLinks: Type.Boolean({ default: false }),
  customCSS: Nullable(Type.String({ maxLength: 65_536 }), { default: '', description: 'At most 64 KiB.' }),
  isPrivate: Type.Boolean({ default: false, description: 'Ask visitors for a key.' }),
  showP95: Type.Boolean({ default: true }),
  showP99: Type.Boolean({ default: true }),
  sortByStatus: Type.Boolean({ default: false, description: 'What is in trouble comes first.' }),
  showGroupNames: Type.Boolean({ default: true }),
})
export type DashboardSettings = Static<typeof DashboardSettings>

const addresses = { customUrl: Type.Optional(SubDomain), customDomain: Type.Optional(CustomDomain) }

export const DashboardUpdate = Type.Object({ ...Type.Partial(DashboardSettings).properties, ...addresses })
export type DashboardUpdate = Static<typeof DashboardUpdate>

export const DashboardCreate = Type.Object({ ...DashboardUpdate.properties, header: Header })
export type DashboardCreate = Static<typeof DashboardCreate>

export const Dashboard = Type.Object({
  ...DashboardSettings.properties,
  id: Type.Integer(),
  dashboardId: Type.String({ description: 'By this the dashboard is addressed.' }),
  customUrl: Type.String(),
  customDomain: Nullable(Type.String()),
  keys: Type.Array(PageKey, { description: 'Of a private dashboard.' }),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type Dashboard = Static<typeof Dashboard>
