/** What the probe reads of certificates and OCSP answers that Node.js does not tell. DER, as ITU-T X.690 has it. */

interface Element {
  tag: number
  content: Buffer
}

const SEQUENCE = 0x30
const INTEGER = 0x02
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const ENUMERATED = 0x0a
/** `[0]` and `[3]`, explicitly tagged. */
const CONTEXT_0 = 0xa0
const CONTEXT_3 = 0xa3

/** 1.3.6.1.5.5.7.1.24, RFC 7633. */
const TLS_FEATURE = Buffer.from('2b06010505070118', 'hex')
const STATUS_REQUEST = 5
/** 1.3.6.1.4.1.11129.2.4.2, RFC 6962. */
const SCT_LIST = Buffer.from('2b06010401d679020402', 'hex')

/** Whether a certificate demands that its server bring an OCSP answer. */
export function demandsStaple(certificate: Buffer): boolean {
  const features = only(extensionOf(certificate, TLS_FEATURE), SEQUENCE)
  return elementsOf(features).some(
    ({ tag, content }) => tag === INTEGER && content.length === 1 && content[0] === STATUS_REQUEST,
  )
}

/** Whether a certificate holds a receipt of a log at least. */
export function holdsReceipt(certificate: Buffer): boolean {
  const list = only(extensionOf(certificate, SCT_LIST), OCTET_STRING)
  return list.length > 2 && list.readUInt16BE(0) === list.length - 2
}

/** Whether an OCSP response is an answer: others say that the authority could give none. */
export function isOcspAnswer(response: Buffer): boolean {
  const [status, bytes] = elementsOf(only(response, SEQUENCE))
  return status?.tag === ENUMERATED && status.content.equals(Buffer.of(0)) && bytes?.tag === CONTEXT_0
}

/** Empty where there is no such extension. */
function extensionOf(certificate: Buffer, id: Buffer): Buffer {
  const [toBeSigned] = elementsOf(only(certificate, SEQUENCE))
  const tagged = elementsOf(toBeSigned?.content ?? NOTHING).find(({ tag }) => tag === CONTEXT_3)
  for (const extension of elementsOf(only(tagged?.content ?? NOTHING, SEQUENCE))) {
    const parts = elementsOf(extension.content)
    if (parts[0]?.tag !== OBJECT_IDENTIFIER || !parts[0].content.equals(id)) continue
    // Between them may stand whether the extension is critical.
    const value = parts.at(-1)
    return value?.tag === OCTET_STRING ? value.content : NOTHING
  }
  return NOTHING
}

const NOTHING = Buffer.alloc(0)

/** The content of bytes that are one element of a kind and nothing else; otherwise nothing. */
function only(bytes: Buffer, tag: number): Buffer {
  const [element, ...others] = elementsOf(bytes)
  return element?.tag === tag && others.length === 0 ? element.content : NOTHING
}

/** None when any of it is not well-formed. Tags of several bytes do not occur in what is read here. */
function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0x80
    const more = first < 0x80 ? 0 : first - 0x80
    const begin = at + 2 + more
    if (first === 0x80 || more > 4 || begin > bytes.length) return []
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    if (begin + length > bytes.length) return []
    elements.push({ tag, content: bytes.subarray(begin, begin + length) })
    at = begin + length
  }
  return elements
}
