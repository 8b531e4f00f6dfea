import type { ThingView } from '../../src-shared/ipc/find-view'
import { secureUrl } from './coa-thing'

/** Where a view may lead outside of the app: its certificate, its documents, and the links in its description. https only. */
export function addressesIn(view: ThingView): string[] {
  switch (view.kind) {
    case 'coa':
      return secure(view.certificateUrl, view.sourceUrl)
    case 'product':
      return secure(...view.documents.map(({ url }) => url), ...hrefsIn(view.descriptionHtml ?? ''))
    case 'tag':
    case 'collection':
    case 'package':
    case 'batch':
      return []
  }
}

const secure = (...urls: (string | null)[]) => urls.map(secureUrl).filter((url) => url !== null)

const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** What stands as `href`, wherever: one too many opens nothing by itself, for the page offers links alone. */
const hrefsIn = (html: string) =>
  [...html.matchAll(href)].map(([, double, single, bare]) => unescaped(double ?? single ?? bare ?? ''))

/** What addresses are escaped with in HTML. */
const named = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
])

const unescaped = (text: string) =>
  text.replaceAll(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named.get(name.toLowerCase()) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
    },
  )
