import { inflateSync } from 'node:zlib'

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** The objects of a PDF as Chromium writes it, by number. */
function objectsOf(pdf: Buffer): Map<string, { head: string; stream: string }> {
  const text = latin1(pdf)
  const found = new Map<string, { head: string; stream: string }>()
  for (const match of text.matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g)) {
    const [, number = '', body = ''] = match
    const [head = '', rest] = body.split(/stream\r?\n/)
    const bytes = Buffer.from(rest?.replace(/\r?\nendstream[\s\S]*$/, '') ?? '', 'latin1')
    const stream = head.includes('/FlateDecode') ? latin1(inflateSync(bytes)) : latin1(bytes)
    found.set(number, { head, stream })
  }
  return found
}

const codesOf = (hex: string) => hex.match(/.{4}/g) ?? []
const textOf = (hex: string) => String.fromCharCode(...codesOf(hex).map((code) => Number.parseInt(code, 16)))

/** What the codes of a font mean. */
function meaningOf(map: string): Map<string, string> {
  const meaning = new Map<string, string>()
  for (const [, chars = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code = '', text = ''] of chars.matchAll(/<(\w+)>\s*<(\w+)>/g))
      meaning.set(code.toUpperCase(), textOf(text))
  }
  for (const [, ranges = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from = '', to = '', text = ''] of ranges.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const [first, last, start] = [from, to, text].map((hex) => Number.parseInt(hex, 16))
      for (let code = first ?? 0; code <= (last ?? -1); code++) {
        const key = code.toString(16).padStart(4, '0').toUpperCase()
        meaning.set(key, String.fromCharCode((start ?? 0) + code - (first ?? 0)))
      }
    }
  }
  return meaning
}

/** The texts of the pages of a PDF that Chromium made, without spaces: where words are apart is not in the file. */
export function pagesOf(pdf: Buffer): string[] {
  const objects = objectsOf(pdf)
  const fontOf = (reference: string) => {
    const map = /\/ToUnicode (\d+)/.exec(objects.get(reference)?.head ?? '')?.[1]
    return meaningOf(objects.get(map ?? '')?.stream ?? '')
  }
  return [...objects.values()]
    .filter(({ head }) => /\/Type\s*\/Page\b/.test(head))
    .map(({ head }) => {
      const fonts = new Map(
        [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', reference = '']) => [name, fontOf(reference)]),
      )
      const content = objects.get(/\/Contents (\d+)/.exec(head)?.[1] ?? '')?.stream ?? ''
      let font = new Map<string, string>()
      let text = ''
      for (const [, name, hex] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([\dA-Fa-f]+)>/g)) {
        if (name !== undefined) font = fonts.get(name) ?? font
        else
          text += codesOf(hex ?? '')
            .map((code) => font.get(code.toUpperCase()) ?? '')
            .join('')
      }
      return text.replaceAll(/\s/g, '')
    })
}
