import { join } from 'node:path'
import { examplePlaces, openApiDocument } from '../../src-practice/openapi/document'

export const documentFile = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json')

/** The text of `docs/openapi.json`, and how much is in it. */
export function documentText() {
  const document = openApiDocument(examplePlaces)
  const paths = Object.values(document.paths)
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
  const operations = paths.flatMap((path) => Object.keys(path).filter((key) => methods.has(key)))
  return { text: `${JSON.stringify(document, null, 2)}\n`, paths: paths.length, operations: operations.length }
}
