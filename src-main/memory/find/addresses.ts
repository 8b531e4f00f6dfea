const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** Every `href`, wherever it stands: one too many does no harm, because the page offers links alone. */
export const hrefsIn = (html: string) =>
  [...html.matchAll(href)].map(([, double, single, bare]) => unescaped(double ?? single ?? bare ?? ''))

/** Entities that stand in addresses in HTML. */
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

/** An address that may be opened outside the app: https and nothing else, as a browser would read it. */
export function secureUrl(url: string | null | undefined): string | null {
  if (url == null || !URL.canParse(url)) return null
  const { protocol, username, password, href } = new URL(url)
  return protocol === 'https:' && username === '' && password === '' ? href : null
}
