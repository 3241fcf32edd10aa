/** The reference of the API: a page for each tag, one for the schemas, and a table of contents. */
import { asJson, type Json } from '../../packages/server/src/http/describe/json.ts'
import { curlOf } from './curl.ts'
import type { ApiDocument, Content, Operation } from './document.ts'
import { answerTable, fieldsOf, fieldTable, nameIn, table, typeInWords, variantsOf } from './fields.ts'

const MADE = '<!-- Made by `npm run docs`. Change the routes and schemas instead. -->'
const linkToSchema = (name: string) => `schemas.md#${name}`
const linkWithin = (name: string) => `#${name}`

export function referencePages(document: ApiDocument): Map<string, string> {
  const tags = [...new Set(document.operations.map(({ tag }) => tag))].toSorted()
  const pages = new Map([['docs/api/README.md', contentsPage(document, tags)]])
  for (const tag of tags) pages.set(`docs/api/${fileOf(tag)}`, tagPage(document, tag))
  return pages.set('docs/api/schemas.md', schemasPage(document))
}

export function fileOf(tag: string): string {
  return `${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`
}

function contentsPage({ operations }: ApiDocument, tags: readonly string[]): string {
  return joined(
    MADE,
    '# API reference',
    'How to use the API as a whole is told in [Using the API](../using-the-api.md). The things that are sent and answered are in [Schemas](schemas.md). `/docs` of a running installation shows the same and lets you try it, `/openapi.json` is the same for programs.',
    ...tags.flatMap((tag) => [
      `## [${tag}](${fileOf(tag)})`,
      table(
        ['Operation', 'What it does'],
        operations
          .filter((operation) => operation.tag === tag)
          .map(({ id, method, path, summary, isDeprecated }) => [
            `[\`${method} ${path}\`](${fileOf(tag)}#${id})`,
            `${summary}${isDeprecated ? ' (deprecated)' : ''}`,
          ]),
      ),
    ]),
  )
}

function tagPage(document: ApiDocument, tag: string): string {
  const operations = document.operations.filter((operation) => operation.tag === tag)
  return joined(
    MADE,
    `# ${tag}`,
    '[All operations](README.md) · [Using the API](../using-the-api.md) · [Schemas](schemas.md)',
    ...operations.map((operation) => describe(operation, document)),
  )
}

function describe(operation: Operation, document: ApiDocument): string {
  const { id, method, path, summary, description, parameters, body, file } = operation
  return joined(
    `<a id="${id}"></a>`,
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    parameters.every(isHeader) ? '' : joined('**Parameters**', parameterTable(operation)),
    body === null ? '' : describeBody(operation, body, document),
    file === null ? '' : `**Body** a file, \`${file}\``,
    `\`\`\`sh\n${curlOf(operation)}\n\`\`\``,
    '**Answers**',
    answers(operation),
    '**Refusals**',
    refusals(operation),
  )
}

/** The headers are the same everywhere, and told of elsewhere. */
function isHeader(parameter: Json): boolean {
  return parameter.in === 'header'
}

function parameterTable({ parameters }: Operation): string {
  return table(
    ['Name', 'In', 'Type', 'Default', 'Meaning'],
    parameters
      .filter((parameter) => !isHeader(parameter))
      .map(({ name, in: place, schema, required, description }) => {
        const preset = asJson(schema).default
        return [
          `\`${name}\``,
          String(place),
          typeInWords(schema, linkToSchema),
          required === true ? '*required*' : preset === undefined ? '' : `\`${preset}\``,
          typeof description === 'string' ? description : '',
        ]
      }),
  )
}

function describeBody({ method, bodyIsOptional }: Operation, { schema }: Content, { schemas }: ApiDocument): string {
  const name = nameIn(asJson(schema))
  const shape = name === undefined ? schema : schemas.get(name)
  const all = fieldsOf(shape, linkToSchema)
  // Defaults are for what is created: an update leaves what it does not name as it is.
  const fields = method === 'POST' ? all : all.map((field) => ({ ...field, preset: '' }))
  return joined(
    `**Body** ${typeInWords(schema, linkToSchema)}${bodyIsOptional ? ', optional' : ''}`,
    fields.length > 0 ? fieldTable(fields) : `One of ${variantLinks(shape, linkToSchema)}.`,
  )
}

function variantLinks(schema: unknown, linkTo: (name: string) => string): string {
  return variantsOf(asJson(schema))
    .map((variant) => typeInWords(variant, linkTo))
    .join(', ')
}

function answers({ responses }: Operation): string {
  return joined(
    ...responses
      .filter(({ status, content, isShared }) => isSuccess(status) || !(isShared || isProblem(content)))
      .map(({ status, description, content, media }) => {
        if (content === null) return `- \`${status}\` ${description} Without a body.`
        const type = media === 'application/json' ? typeInWords(content.schema, linkToSchema) : `\`${media}\``
        const line = `- \`${status}\` ${description} ${type}`
        return isNamed(content.schema) || content.example === undefined ? line : joined(line, json(content.example))
      }),
  )
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

function isProblem(content: Content | null): boolean {
  return nameIn(asJson(content?.schema)) === 'Problem'
}

/** Whether its example is on the page of the schemas. */
function isNamed(schema: unknown): boolean {
  const shape = asJson(schema)
  return nameIn(shape) !== undefined || (shape.type === 'array' && nameIn(asJson(shape.items)) !== undefined)
}

function refusals({ responses }: Operation): string {
  const refused = responses.filter(({ status, content }) => !isSuccess(status) && isProblem(content))
  const shared = refused.filter(({ isShared }) => isShared).map(({ status }) => `\`${status}\``)
  return [
    ...refused.filter(({ isShared }) => !isShared).map(({ status, description }) => `- \`${status}\` ${description}`),
    `- ${shared.join(', ')} as [everywhere](../using-the-api.md#errors).`,
  ].join('\n')
}

function schemasPage(document: ApiDocument): string {
  const examples = examplesByName(document)
  const sent = namesOfSent(document)
  return joined(
    MADE,
    '# Schemas',
    '[All operations](README.md) · [Using the API](../using-the-api.md)',
    ...[...document.schemas].map(([name, schema]) => {
      const fields = fieldsOf(schema, linkWithin)
      const example = examples.get(name)
      const { description } = asJson(schema)
      return joined(
        `<a id="${name}"></a>`,
        `## ${name}`,
        typeof description === 'string' ? description : '',
        fields.length === 0
          ? `${typeInWords(schema, linkWithin)}.`
          : (sent.has(name) ? fieldTable : answerTable)(fields),
        example === undefined ? '' : json(example),
      )
    }),
  )
}

/** What is part of a body, however deep. */
function namesOfSent({ operations, schemas }: ApiDocument): Set<string> {
  const sent = new Set<string>()
  const follow = (schema: unknown) => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (sent.has(name)) continue
      sent.add(name)
      follow(schemas.get(name))
    }
  }
  for (const { body } of operations) if (body !== null) follow(body.schema)
  return sent
}

/** Taken from the operations that answer or take such a thing. */
function examplesByName({ operations }: ApiDocument): Map<string, unknown> {
  const contents = operations.flatMap(({ body, responses }) => [body, ...responses.map(({ content }) => content)])
  const examples = new Map<string, unknown>()
  for (const content of contents) {
    if (content === null || content.example === undefined) continue
    const shape = asJson(content.schema)
    const isList = shape.type === 'array' && Array.isArray(content.example)
    const name = nameIn(isList ? asJson(shape.items) : shape)
    if (name !== undefined && !examples.has(name))
      examples.set(name, isList ? Object.values(Object(content.example))[0] : content.example)
  }
  return examples
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** Paragraphs; what is empty is left out. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
