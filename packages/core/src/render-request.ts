/** A request with the values of variables in its templates, each written as its place needs it. */
import type { ApiAssertion, ApiRequest, KeyValue, RunVariable } from '@vedette/schema'
import { renderTemplate } from './template.ts'
import { type Encoding, encodingOfBody, encodings } from './template-encoding.ts'
import type { HelperContext } from './template-helpers.ts'
import type { TemplateVariables } from './template-value.ts'

/** Whether any text in a value has a template in it. */
export function mentionsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{')
  return typeof value === 'object' && value !== null && Object.values(value).some(mentionsTemplate)
}

/** The parts of a request in which templates are rendered. */
export type Renderable = Partial<Omit<ApiRequest, 'assertions' | 'url'>> & {
  url: string
  assertions?: readonly Pick<ApiAssertion, 'target'>[] | undefined
}

/**
 * The address comes first: `REQUEST_URL` stands for it in all that follows.
 *
 * @throws TemplateError when a template grows beyond its limits
 */
export function renderRequest<R extends Renderable>(
  request: R,
  variables: readonly RunVariable[],
  helpers: HelperContext,
): R {
  if (!mentionsTemplate(request)) return request
  const names = new Map(variables.map(({ key, value }) => [key, value]))
  const url = renderTemplate(request.url, { ...helpers, variables: entriesOf(names), encode: encodeInAddress })
  const all = entriesOf(names.set('REQUEST_URL', url))
  const render = (text: string, encoding: Encoding) =>
    renderTemplate(text, { ...helpers, variables: all, encode: encodings[encoding] })
  const values = (items: readonly KeyValue[], encoding: Encoding) =>
    items.map((item) => ({ ...item, value: render(item.value, encoding) }))
  const { body, headers, queryParameters, basicAuth, assertions } = request
  return {
    ...request,
    url,
    ...(body && { body: render(body, bodyEncoding(request)) }),
    ...(headers && { headers: values(headers, 'header') }),
    // They are encoded when they are put into the address.
    ...(queryParameters && { queryParameters: values(queryParameters, 'plain') }),
    ...(basicAuth && {
      basicAuth: { username: render(basicAuth.username, 'plain'), password: render(basicAuth.password, 'plain') },
    }),
    ...(assertions && {
      assertions: assertions.map((assertion) =>
        typeof assertion.target === 'string' ? { ...assertion, target: render(assertion.target, 'plain') } : assertion,
      ),
    }),
  }
}

function entriesOf(names: ReadonlyMap<string, string>): TemplateVariables {
  return Object.fromEntries(names)
}

/** Where an address is longer than this, values stand behind its host. */
const PARTS_BEFORE_HOST = 32
const BEFORE_HOST = /^\s*(?:https?:\/\/)?$/i
const IN_HOST = /^\s*https?:\/\/[^/?#]*$/i

/** A value that begins an address may be one; in the place of the host it is a host; behind, it is one component. */
function encodeInAddress(text: string, before: readonly string[]): string {
  const component = encodings.url(text)
  if (before.length > PARTS_BEFORE_HOST) return component
  const written = before.join('')
  if (written.trim() === '') return text
  if (!BEFORE_HOST.test(written) && !IN_HOST.test(written)) return component
  return component.replace(/%(3A|5B|5D|40)/g, (code) => decodeURIComponent(code))
}

function bodyEncoding({ bodyType = 'NONE', headers = [] }: Renderable): Encoding {
  const contentType = headers.find(({ key }) => key.trim().toLowerCase() === 'content-type')?.value.trim()
  if (contentType) return encodingOfBody(contentType)
  if (bodyType === 'FORM') return 'url'
  return bodyType === 'JSON' || bodyType === 'GRAPHQL' ? 'json' : 'plain'
}
