import type { App } from '../app.svelte'
import { t } from '../text/text.svelte'
import { type SectionName, sectionNames } from './pages.svelte'
import { type SettingsCard, sections } from './sections'

/** A setting that matches: where it is, and what to look for there. */
export interface FoundSetting {
  key: string
  section: SectionName
  card: string
  label: string
  /** The card itself, not one of the settings on it. */
  isCard: boolean
  /** Behind "Customize". */
  isCustom: boolean
}

/** The settings whose label, hint or other words have each word of the query; labels that begin with it first. */
export function findSettings(app: App, query: string): FoundSetting[] {
  const words = plain(query)
    .split(' ')
    .filter((word) => word !== '')
  const ranked = sectionNames.flatMap((section) =>
    sections[section]
      .filter((card) => card.isShown?.(app) ?? true)
      .flatMap((card) => settingsOf(section, card).map((found) => ({ ...found, rank: rankOf(found, words) }))),
  )
  return ranked.filter(({ rank }) => rank < noMatch).sort((one, other) => one.rank - other.rank)
}

const noMatch = 3

function rankOf({ label, about }: FoundSetting & { about: string }, words: string[]): number {
  const name = plain(label)
  if (isIn(name, words)) return name.startsWith(` ${words.join(' ')}`) ? 0 : 1
  return isIn(name + plain(about), words) ? 2 : noMatch
}

function settingsOf(section: SectionName, { id, title, words, settings = [], isCustom = false }: SettingsCard) {
  const card = {
    key: id,
    section,
    card: id,
    label: t(title),
    about: words.map((key) => t(key)).join(' '),
    isCard: true,
    isCustom,
  }
  const inside = settings.map(({ label, hint }) => ({
    ...{
      key: `${id} ${label}`,
      section,
      card: id,
      label: t(label),
      about: hint ? t(hint) : '',
      isCard: false,
      isCustom,
    },
  }))
  return [card, ...inside]
}

/** Words begin as a person types them. */
const isIn = (text: string, words: string[]) => words.every((word) => text.includes(` ${word}`))

/** Without capitals, accents and signs; with a space before each word. */
const plain = (text: string) =>
  ` ${text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')}`

const controls = 'input, select, textarea, button'

/** Shows a found setting, once its card is there, and puts the focus on its control; on the card's heading without one. */
export async function focusFound(page: HTMLElement, { card, label, isCard }: FoundSetting): Promise<void> {
  const until = performance.now() + longestWait
  let control: HTMLElement | undefined
  do {
    await new Promise(requestAnimationFrame)
    const inside = [...page.querySelectorAll<HTMLElement>(`#settings-${card} :is(${controls})`)]
    control = isCard ? undefined : inside.find((one) => nameOf(one).startsWith(label))
  } while (!control && !(isCard && headingOf(page, card)) && performance.now() < until)
  const shown = control ?? headingOf(page, card) ?? page.querySelector<HTMLElement>('h2')
  // A heading takes the focus only from here.
  if (shown && !control) shown.tabIndex = -1
  shown?.scrollIntoView({ block: control ? 'center' : 'start' })
  shown?.focus({ preventScroll: true })
}

/** Cards read their settings from main first. */
const longestWait = 1_000

const headingOf = (page: HTMLElement, card: string) => page.querySelector<HTMLElement>(`#settings-${card} h3`)

const nameOf = (control: HTMLElement) => {
  const labels = 'labels' in control && control.labels instanceof NodeList ? [...control.labels] : []
  return (labels[0]?.textContent ?? control.textContent).trim()
}
