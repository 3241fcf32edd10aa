/** A gateway to the telephone network that speaks as Twilio's API of 2010-04-01 does, at whatever address. */
import { encodings } from '@vedette/core'
import { escapedWithin } from './escaped-within.ts'
import { formRequest } from './http-request.ts'
import type { PhoneGateway } from './phone-gateway.ts'
import { judgeByStatus } from './provider-answer.ts'
import type { TwilioSettings } from './twilio-settings.ts'

/** Of the whole instruction the service takes 4000 characters. */
const SPOKEN_LIMIT = 3000

export function twilioGateway({ url, account, token, from }: TwilioSettings): PhoneGateway {
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
  const resource = (name: string, form: Record<string, string>) =>
    formRequest(new URL(`${url}/2010-04-01/Accounts/${encodeURIComponent(account)}/${name}.json`), form, {
      authorization,
    })
  return {
    write: (number, text) => resource('Messages', { To: number, From: from, Body: text }),
    call: (number, text) => resource('Calls', { To: number, From: from, Twiml: spoken(text) }),
    judge: judgeByStatus,
    secrets: [token, authorization.slice('Basic '.length)],
  }
}

/** Twice: the first words are missed while the telephone goes to the ear. */
export function spoken(text: string): string {
  const said = escapedWithin(text.replaceAll(NOT_IN_XML, ' '), SPOKEN_LIMIT, encodings.html)
  return `<?xml version="1.0" encoding="UTF-8"?><Response><Say loop="2">${said}</Say></Response>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML 1.0 cannot hold.
const NOT_IN_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
