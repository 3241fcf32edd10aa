/** Small pictures of how a check is doing, for pages elsewhere. */
import Type from 'typebox'

export const BADGE_STYLES = ['flat', 'plastic', 'flat-square', 'for-the-badge', 'social'] as const
export type BadgeStyle = (typeof BADGE_STYLES)[number]
export const BADGE_THEMES = ['light', 'dark', 'default'] as const
export type BadgeTheme = (typeof BADGE_THEMES)[number]
export const BADGE_STATES = ['passing', 'degraded', 'failing', 'unknown'] as const
export type BadgeState = (typeof BADGE_STATES)[number]

export const BadgeQuery = Type.Object({
  style: Type.Optional(Type.Enum(BADGE_STYLES, { default: 'flat' })),
  theme: Type.Optional(Type.Enum(BADGE_THEMES, { default: 'default' })),
  responseTime: Type.Optional(
    Type.Boolean({ default: false, description: 'Add the average response time of the last 24 hours.' }),
  ),
})
