/** An answer as people and assertions read it: as JSON, and as the text that dig would write. */
import type { DnsAnswerRecord, DnsJsonAnswer, DnsProtocol, DnsResponse } from '@vedette/schema'
import { className, RECORD_TYPES, recordTypeName, responseCodeName } from './codes.ts'
import { type DnsFlags, type DnsMessage, type ReadRecord, responseCodeOf } from './message.ts'

/** Signatures come with every signed answer and change by themselves: they are told by one flag. */
const PROOFS: readonly number[] = [RECORD_TYPES.RRSIG, RECORD_TYPES.NSEC, RECORD_TYPES.NSEC3]

export interface AnsweredBy {
  nameServer: string
  port: number
  protocol: DnsProtocol
}

export function describeAnswer(message: DnsMessage<ReadRecord>, by: AnsweredBy): DnsResponse {
  const status = responseCodeName(responseCodeOf(message))
  const answers = message.answers.filter(isMeant)
  const authorities = message.authorities.filter(isMeant)
  const isSigned = [...message.answers, ...message.authorities].some(({ type }) => type === RECORD_TYPES.RRSIG)
  const json = jsonOf(message, { status, answers, authorities, isSigned })
  return { status, json, text: textOf(message, json, answers, authorities, by) }
}

const isMeant = ({ type }: ReadRecord) => !PROOFS.includes(type)

interface Parts {
  status: string
  answers: readonly ReadRecord[]
  authorities: readonly ReadRecord[]
  isSigned: boolean
}

function jsonOf({ flags, questions }: DnsMessage, { status, answers, authorities, isSigned }: Parts): DnsJsonAnswer {
  return {
    Status: status,
    TC: flags.tc,
    RD: flags.rd,
    RA: flags.ra,
    AD: flags.ad,
    CD: flags.cd,
    AA: flags.aa,
    RRSIG: isSigned,
    Question: questions.map(({ name, type }) => ({ name, type: recordTypeName(type) })),
    Answer: answers.map(jsonRecord),
    Authority: authorities.map(jsonRecord),
  }
}

const jsonRecord = ({ name, type, ttl, text }: ReadRecord): DnsAnswerRecord => ({
  name,
  type: recordTypeName(type),
  TTL: ttl,
  data: text,
})

const SHOWN_FLAGS: readonly (keyof DnsFlags)[] = ['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd']

function textOf(
  { flags, questions }: DnsMessage,
  { Status, RRSIG }: DnsJsonAnswer,
  answers: readonly ReadRecord[],
  authorities: readonly ReadRecord[],
  { nameServer, port, protocol }: AnsweredBy,
): string {
  const counts = `QUERY: ${questions.length}, ANSWER: ${answers.length}, AUTHORITY: ${authorities.length}`
  const lines = [
    `;; ->>HEADER<<- opcode: QUERY, status: ${Status}`,
    `;; flags: ${SHOWN_FLAGS.filter((flag) => flags[flag]).join(' ')}; ${counts}`,
    ...(RRSIG ? [';; DNSSEC: signed (RRSIG)'] : []),
    '',
    ';; QUESTION SECTION:',
    ...questions.map(({ name, type, class: klass }) => `;${name}\t\t${className(klass)}\t${recordTypeName(type)}`),
    ...section('ANSWER', answers),
    ...section('AUTHORITY', authorities),
    '',
    `;; SERVER: ${nameServer}#${port} (${protocol})`,
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, records: readonly ReadRecord[]): string[] {
  return records.length === 0 ? [] : ['', `;; ${title} SECTION:`, ...records.map(textRecord)]
}

function textRecord({ name, type, class: klass, ttl, text }: ReadRecord): string {
  const data = type === RECORD_TYPES.TXT ? `"${text.replaceAll('"', '\\"')}"` : text
  return `${name}\t${ttl}\t${className(klass)}\t${recordTypeName(type)}\t${data}`
}
