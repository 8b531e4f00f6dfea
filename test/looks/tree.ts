import type { Page } from '@playwright/test'

/** What a screen reader is given, as text: the dialog in front, or the whole page. */
export async function treeOf(page: Page): Promise<string> {
  const dialog = page.locator('dialog[open]').last()
  return (await dialog.count()) > 0 ? dialog.ariaSnapshot() : page.locator('body').ariaSnapshot()
}

interface Heard {
  role: string
  name: string
  level: number | null
  /** The group of choices around it, whose name is read with its own. */
  within: string
}

const controls = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'combobox', 'listbox', 'checkbox', 'radio'],
  ...['switch', 'slider', 'tab', 'menuitem'],
])
const landmarks = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search'])
/** Their choices are read with the name of the whole. */
const wholes = new Set(['radiogroup', 'group', 'tablist', 'listbox', 'combobox'])
const named = new Set([...controls, 'radiogroup', 'tablist', 'heading', 'img', 'dialog', 'table', 'region'])
/**
 * Two that do the same: a dialog's corner and its foot, the scan strip and the card of sounds, a head and the bar below. And the
 * screen of a store, in the navigation, with the section of Settings.
 */
const same = new Set(['button "Close"', 'button "Mute sounds"', 'button "Finish delivery"', 'button "Store"'])

/** Reads the text back. A line that YAML would read otherwise stands in quotes. */
function nodesOf(tree: string): Heard[] {
  const around: { depth: number; role: string; name: string }[] = []
  return tree.split('\n').flatMap((line): Heard[] => {
    const depth = line.search(/\S/)
    const own = line
      .slice(depth)
      .replace(/^- (?:'((?:[^']|'')*)'.*|(.*))$/, (_, quoted?: string, plain?: string) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll("''", "'"),
      )
    const found = /^([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)/.exec(own)
    if (!found) return []
    const [, role = '', name = '', rest = ''] = found
    while ((around.at(-1)?.depth ?? -1) >= depth) around.pop()
    const within = around.findLast((one) => wholes.has(one.role))?.name ?? ''
    around.push({ depth, role, name })
    return [{ role, name, level: Number(/\[level=(\d)\]/.exec(rest)?.[1] ?? 0) || null, within }]
  })
}

const twice = (all: string[]) => [...new Set(all.filter((one, at) => all.indexOf(one) !== at))]

/** What would be heard wrong: no name, one name for two things, and headings that leave out a level. */
export function treeFaults(tree: string): string[] {
  const nodes = nodesOf(tree)
  const isWhole = nodes.some(({ role }) => role === 'main')
  const levels = nodes.flatMap(({ role, level }) => (role === 'heading' && level !== null ? [level] : []))
  const skipped = levels.filter((level, at) => level > (levels[at - 1] ?? (isWhole ? 0 : 1)) + 1)
  const heads = levels.filter((level) => level === 1).length
  const parts = nodes.filter(({ role }) => landmarks.has(role))
  const pressed = nodes.filter(({ role, name }) => controls.has(role) && !same.has(`${role} "${name}"`))
  return [
    ...nodes
      .filter(({ role, name }) => named.has(role) && name.trim() === '')
      .map(({ role }) => `without a name: ${role}`),
    ...twice(pressed.map(({ role, name, within }) => `${role} "${name}"${within && ` in "${within}"`}`)).map(
      (one) => `two with one name: ${one}`,
    ),
    ...twice(parts.map(({ role, name }) => `${role} "${name}"`)).map((one) => `two with one name: ${one}`),
    ...skipped.map((level) => `a heading of level ${level} without the one above it`),
    ...(isWhole && heads !== 1 ? [`${heads} headings of level 1`] : []),
  ]
}

/** Live regions that would read out a list or a page, and tables whose cells have no heads. */
export const pageFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const shown = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility())
    const named = (one: HTMLElement) => `${one.tagName} ${one.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}`
    const live = shown('[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], [role=log]')
    return [
      ...live
        .filter((one) => one.textContent.length > 400 || one.querySelectorAll('li, tr').length > 3)
        .map((one) => `a live region holds too much: ${named(one)}`),
      ...shown('[role=group], fieldset')
        .filter((one) => !one.matches('[aria-label], [aria-labelledby]') && !one.querySelector('legend'))
        .map((one) => `a group without a name: ${named(one)}`),
      ...shown('[aria-required=false]').map((one) => `says that it is not required: ${one.id}`),
      ...shown('table')
        .filter((one) => one.querySelectorAll('th').length === 0)
        .map((one) => `a table without heads: ${named(one)}`),
    ]
  })
