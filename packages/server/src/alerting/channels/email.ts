/** Sends a message to one address, through the operator’s mail server. */
import { MailError } from '../../mail/mail-error.ts'
import { type ChannelDelivery, DeliveryError } from './channel.ts'
import { layOutEmail } from './email-message.ts'

export const email: ChannelDelivery<'EMAIL'> = {
  async deliver(message, { address }, { mailer, deliveryId, signal }) {
    if (mailer === null) throw new DeliveryError('Not sent: no mail server is configured (SMTP_URL).', { retry: false })
    const mail = {
      ...layOutEmail(message),
      id: deliveryId,
      threadId: message.EPISODE_ID,
      to: address,
      headers: { 'X-Service-Delivery-Id': deliveryId },
    }
    try {
      return { outcome: await mailer.send(mail, signal) }
    } catch (error) {
      throw error instanceof MailError ? new DeliveryError(error.message, { retry: error.retry }) : error
    }
  },

  /** There are no templates in an address. */
  used: (_message, config) => config,
}
