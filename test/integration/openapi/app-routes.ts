import { createApp } from '../../../src-practice/app'
import { openStore } from '../../../src-practice/store/open'
import { readSettings } from '../../../src-practice/store/query'
import { createTokenBook } from '../../../src-practice/http/context'
import { loadPictures } from '../../../src-practice/payloads/pictures'
import { data } from '../practice/sample'

/** Pages that are the practice service's own: no endpoints of the specification. */
const own = /^\/(docs|openapi\.json|media\/.*)$/

/** `GET /api/v1.5/brands/{}/`: a method and a path whose parameters have no names. */
export const nameless = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}|:[^/{]+(\{[^}]*\})?\??/g, '{}')}`

/** Every endpoint that the app serves, walked from its routes: those of a method, without guards and 405s. */
export function servedEndpoints(): string[] {
  const store = openStore(':memory:', data)
  const parts = {
    store,
    settings: readSettings(store),
    tokens: createTokenBook(3_600, () => new Date()),
    now: () => new Date(),
    origin: 'http://127.0.0.1:1',
    pictures: loadPictures(undefined),
  }
  const { routes } = createApp(parts, async (_, next) => next())
  store.close()
  return [...new Set(routes.filter(({ method, path }) => method !== 'ALL' && !own.test(path)).map(endpointOf))].sort()
}

/** The token endpoint has an address for each product besides; in the document those are its servers. */
const endpointOf = ({ method, path }: { method: string; path: string }) =>
  nameless(method, path.replace(/^\/auth(\/retail|\/sourcing)?\/o\//, '/o/'))
