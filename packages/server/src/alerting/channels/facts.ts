/** What an alert says besides its title, in the order in which people ask: for channels that list facts by name. */
import type { AlertMessage } from '@vedette/schema'

export interface Fact {
  name: string
  value: string
}

/** Only those that there are: a digest has a list of its own. */
export function factsOf(message: AlertMessage): Fact[] {
  if (message.IS_DIGEST) return []
  const status = [message.API_CHECK_RESPONSE_STATUS_CODE, message.API_CHECK_RESPONSE_STATUS_TEXT].filter(Boolean)
  const facts: Fact[] = [
    { name: 'Check', value: message.CHECK_NAME },
    { name: 'Type', value: message.CHECK_TYPE },
    { name: 'Group', value: message.GROUP_NAME },
    { name: 'Location', value: message.RUN_LOCATION },
    { name: 'Started', value: message.STARTED_AT },
    { name: 'Response time', value: message.ALERT_TYPE === 'ALERT_SSL' ? '' : `${message.RESPONSE_TIME} ms` },
    { name: 'Status', value: status.join(' ') },
    { name: 'Certificate of', value: message.SSL_CHECK_DOMAIN },
    { name: 'Days left', value: message.SSL_DAYS_REMAINING },
    { name: 'Held because of it', value: message.HELD_CHECKS },
    { name: 'Tags', value: message.TAGS.join(', ') },
  ]
  return facts.filter(({ value }) => value !== '')
}
