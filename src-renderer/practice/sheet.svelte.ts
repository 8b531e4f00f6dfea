import type { AppError } from '../../src-shared/errors'
import type { PracticeCode } from '../../src-shared/ipc/app-view'
import type { Client } from '../../src-shared/ipc/client'

/** What the practice sheet shows: fetched when it is opened, each case with its items. */
export class Sheet {
  /** Null until they have come. */
  codes = $state.raw<PracticeCode[] | null>(null)
  error = $state.raw<AppError | null>(null)

  packages = $derived(this.#ofKind('package'))
  cases = $derived(
    this.#ofKind('case').map((one) => ({
      code: one,
      tags: this.#ofKind('tag').filter(({ caseText }) => caseText === one.text),
    })),
  )
  /** Items that are in no case: loose in a package. */
  loose = $derived(this.#ofKind('tag').filter(({ caseText }) => caseText === null))

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async load(): Promise<void> {
    this.error = null
    const answer = await this.#client.call('practice.codes', undefined)
    if (answer.ok) this.codes = answer.value
    else this.error = answer.error
  }

  #ofKind(kind: PracticeCode['kind']): PracticeCode[] {
    return (this.codes ?? []).filter((code) => code.kind === kind)
  }
}
