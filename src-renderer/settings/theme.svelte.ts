import type { Client } from '../../src-shared/ipc/client'
import { Theme } from '../../src-shared/ipc/contract/station'

type Memory = Pick<Storage, 'getItem' | 'setItem'>
const key = 'theme'

/** Shows a theme: the colors of `tokens.css` follow the attribute. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}

/** Shows the theme that this page had last, before anything is painted: main is asked only afterwards. */
export function showLastTheme(memory: Memory): void {
  showTheme(lastTheme(memory))
}

const lastTheme = (memory: Memory) => Theme.catch('system').parse(memory.getItem(key))

/** The look of the screens, which `AppView` shows and the station remembers; `memory` only keeps it for the next first paint. */
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
    this.#memory?.setItem(key, theme)
  }
}
