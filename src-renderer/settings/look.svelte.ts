import type { Client } from '../../src-shared/ipc/client'
import { Locale } from '../../src-shared/ipc/contract/app'
import { Theme } from '../../src-shared/ipc/contract/station'
import { language } from '../text/text.svelte'

type Memory = Pick<Storage, 'getItem' | 'setItem'>
const themeKey = 'theme'
const localeKey = 'locale'

/** Shows a theme: the colors of `tokens.css` follow the attribute. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}

/** Shows the theme and the language that this page had last, before anything is painted: main is asked only afterwards. */
export async function showLastLook(memory: Memory): Promise<void> {
  showTheme(lastTheme(memory))
  await language.show(Locale.catch('en').parse(memory.getItem(localeKey)))
}

const lastTheme = (memory: Memory) => Theme.catch('system').parse(memory.getItem(themeKey))

/**
 * The theme, which `AppView` shows, and the language, both of which the station remembers; `memory` only keeps them for the
 * next first paint.
 */
export class Look {
  theme = $state<Theme>('system')
  readonly #client: Client
  readonly #memory: Memory | undefined

  constructor(client: Client, memory?: Memory) {
    this.#client = client
    this.#memory = memory
    if (memory) this.theme = lastTheme(memory)
  }

  start(): () => void {
    return this.#client.on('station.theme', ({ theme }) => this.#show(theme))
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('station.theme', undefined)
    if (answer.ok) this.#show(answer.value.theme)
  }

  /** If the disk refuses, the stored theme is shown again. */
  async choose(theme: Theme): Promise<void> {
    this.#show(theme)
    const answer = await this.#client.call('station.setTheme', { theme })
    if (!answer.ok) await this.load()
  }

  #show(theme: Theme): void {
    this.theme = theme
    this.#memory?.setItem(themeKey, theme)
  }

  async speak(locale: Locale): Promise<void> {
    this.#memory?.setItem(localeKey, locale)
    await language.show(locale)
  }
}
