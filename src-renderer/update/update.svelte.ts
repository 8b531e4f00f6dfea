import type { Client } from '../../src-shared/ipc/client'
import type { UpdateView } from '../../src-shared/ipc/contract/app'

/** An update that waits for a restart: a chip in the bar opens the dialog. The dialog never opens by itself. */
export class Update {
  view = $state.raw<UpdateView>({ version: null, isAgreed: false })
  isAsking = $state(false)

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  start(): () => void {
    return this.#client.on('update.changed', (view) => this.#show(view))
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('update.view', undefined)
    if (answer.ok) this.#show(answer.value)
  }

  async restart(): Promise<void> {
    const { version } = this.view
    if (version === null) return
    const answer = await this.#client.call('update.restart', { version })
    if (answer.ok) this.#show(answer.value)
  }

  /** Closes the dialog when another version has replaced the one that it asks about. */
  #show(view: UpdateView): void {
    if (view.version !== this.view.version) this.isAsking = false
    this.view = view
  }
}
