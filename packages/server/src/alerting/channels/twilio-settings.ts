export interface TwilioSettings {
  /** Without a slash at the end. */
  url: string
  account: string
  token: string
  /** The number that messages and calls come from. */
  from: string
}
