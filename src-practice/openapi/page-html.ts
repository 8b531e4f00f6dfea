/** A piece of a page. What goes into one is escaped, unless it is a piece itself. */
export interface Html {
  text: string
}

type Part = string | number | Html | Part[]

export const raw = (text: string): Html => ({ text })

/** `` html`<td>${anything}</td>` `` */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  raw(strings.map((text, at) => text + textOf(parts[at] ?? '')).join(''))

function textOf(part: Part): string {
  if (Array.isArray(part)) return part.map(textOf).join('')
  return typeof part === 'object' ? part.text : escape(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
