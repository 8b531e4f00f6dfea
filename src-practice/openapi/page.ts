import { createHash } from 'node:crypto'
import { fieldsOf } from './page-fields'
import { html, raw, type Html } from './page-html'
import type { Answer, Content, OpenApiDocument, OperationObject, Reference } from './shapes'

/** The document as a page for people: plain HTML, no script, nothing loaded. */

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 0 auto; padding: 1rem }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
summary { cursor: pointer; padding: .4rem 0 }
summary b { display: inline-block; min-width: 4.5rem }
details { border-bottom: 1px solid #8886 }
table { border-collapse: collapse; margin: .5rem 0 1rem }
th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; border-top: 1px solid #8884 }
h3 { margin: .5rem 0 0; font-size: 1rem }
`

/** In one piece: the policy names its text by a hash, to the last space. */
const styleElement = raw(`<style>${style}</style>`)

/** Nothing but this page's own style: not even what an example in it might say. */
export const pagePolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const order = ['get', 'post', 'put', 'patch', 'delete'] as const

export function page(document: OpenApiDocument): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    order.flatMap((method) => {
      const one = methods[method]
      return one === undefined ? [] : [{ path, method, one }]
    }),
  )
  const section = ({ name }: { name: string }) =>
    html` <h2>${name}</h2>
      ${all.filter(({ one }) => one.tags.includes(name)).map((entry) => operation(document, entry))}`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${String(document.info.title)}</title>
        ${styleElement}
      </head>
      <body>
        <h1>${String(document.info.title)}</h1>
        <p>${String(document.info.description)}</p>
        <p>${all.length} operations. The same for machines: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
        ${document.tags.map(section)}
      </body>
    </html> `.text
}

function operation(document: OpenApiDocument, entry: { path: string; method: string; one: OperationObject }): Html {
  const { path, method, one } = entry
  const request = one.requestBody?.content
  return html` <details>
    <summary><b>${method.toUpperCase()}</b> <code>${path}</code> ${one.summary}</summary>
    ${(one.parameters ?? []).length > 0 ? table('Parameters', ['name', 'in', 'type'], parameters(one)) : ''}
    ${request === undefined ? '' : body(document, `Request, ${Object.keys(request).join()}`, Object.values(request))}
    ${Object.entries(one.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, answer]) => ('$ref' in answer ? '' : body(document, 'Answer', Object.values(answer.content ?? {}))))}
    ${table('Statuses', ['status', 'meaning', 'body'], statuses(document, one))}
  </details>`
}

const parameters = (one: OperationObject) =>
  (one.parameters ?? []).map(({ name, in: place, schema }) => [name, place, schema.format ?? String(schema.type)])

const body = (document: OpenApiDocument, heading: string, [content]: Content[]): Html | string =>
  content === undefined
    ? ''
    : table(heading, ['field', 'type', 'required'], fieldsOf(document.components.schemas, content.schema))

function statuses(document: OpenApiDocument, one: OperationObject): string[][] {
  return Object.entries(one.responses).map(([status, given]) => {
    const answer = resolve(document, given)
    const bodies = Object.values(answer?.content ?? {}).flatMap(({ example, examples = {} }) => [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).map(({ value }) => value),
    ])
    return [
      status,
      answer?.description ?? '',
      status.startsWith('2') ? '' : bodies.map((body) => JSON.stringify(body)).join('   '),
    ]
  })
}

const resolve = (document: OpenApiDocument, given: Answer | Reference): Answer | undefined =>
  '$ref' in given ? document.components.responses[given.$ref.split('/').at(-1) ?? ''] : given

const table = (heading: string, columns: string[], rows: string[][]): Html =>
  html` <h3>${heading}</h3>
    <table>
      <tr>
        ${columns.map((column) => html`<th>${column}</th>`)}
      </tr>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td><code>${cell}</code></td>`)}
          </tr>`,
      )}
    </table>`
