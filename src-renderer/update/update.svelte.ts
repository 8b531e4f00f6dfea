import type { Client } from '../../src-shared/ipc/client'
import type { UpdateView } from '../../src-shared/ipc/update-view'

/** The update that waits for a restart: a chip in the bar, and the question behind it. Nothing opens by itself. */
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

  /** A question about another version than the one it was put for is put anew. */
  #show(view: UpdateView): void {
    if (view.version !== this.view.version) this.isAsking = false
    this.view = view
  }
}
