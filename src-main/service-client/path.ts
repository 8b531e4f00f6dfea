import { isShortUuid } from '../../src-shared/ids'
import { wireUuid } from '../../src-shared/service/wire-ids'

/** A path with its values in place of its parameters, in order. `ids` is the form of ids in the paths of a version. */
export function pathWith(path: string, values: readonly string[], ids: 'short' | 'long'): string {
  const rest = values.values()
  return path.replaceAll(/<([\w-]+)>/g, (_, name: string) => segment(name, rest.next().value ?? '', ids))
}

// An identifier is a person's text: it may hold slashes and spaces, and half a pair, which no URL can say.
const segment = (name: string, value: string, ids: 'short' | 'long') =>
  encodeURIComponent(
    (ids === 'long' && namesAThing(name) && isShortUuid(value) ? wireUuid(value) : value).toWellFormed(),
  )

const namesAThing = (parameter: string) => /uuid$|^identifier$/.test(parameter)
