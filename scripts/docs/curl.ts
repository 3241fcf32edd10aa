/** An operation as a command that can be tried. */
import { exampleOf } from '../../packages/server/src/http/describe/example.ts'
import { type Operation, SERVER_URL } from './document.ts'

const WIDTH = 90

const CREDENTIALS: Record<string, string> = {
  key: '-H "Authorization: Bearer $KEY"',
  locationKey: '-H "Authorization: Bearer $LOCATION_KEY"',
  session: '-b "vedette-session=$SESSION"',
}

export function curlOf({ method, path, parameters, security, body, file }: Operation): string {
  const example = (place: string, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === place && candidate.name === name)
    return String(exampleOf(parameter?.schema, { of: 'request' }, name))
  }
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => `${name}=${encodeURIComponent(example('query', String(name)))}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example('path', name)))
  const url = `${SERVER_URL}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${query.length === 0 ? url : quoted(url)}`,
    ...(security === undefined ? [] : [CREDENTIALS[security] ?? '']),
    ...(file === null ? [] : [`-H 'Content-Type: ${file}'`, '--data-binary @file']),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(written(body.example))}`]),
  ].join(' \\\n  ')
}

/** On one line while it fits. */
function written(value: unknown): string {
  const line = JSON.stringify(value)
  return line.length <= WIDTH ? line : JSON.stringify(value, null, 2)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
