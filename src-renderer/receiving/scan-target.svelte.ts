import { type AppError, isUnanswered } from '../../src-shared/errors'
import type { CaseId } from '../../src-shared/ids'
import type { CallOutput } from '../../src-shared/ipc/contract'
import type { Client } from '../../src-shared/ipc/client'
import { type Result, ok } from '../../src-shared/result'
import { Ask } from '../ui/ask.svelte'
import type { BlindImport } from './blind-import.svelte'
import type { ImportFormState } from './import-form.svelte'

/** What a scan or an entry asks for. `isMeant`: a person adds the package although the service knows no cases in it. */
export type Target = { kind: 'package'; packageUid: string; isMeant?: true } | { kind: 'case'; identifier: string }

/** What a scan added to the delivery, which shows it already. */
export type Found =
  ({ kind: 'package' } & CallOutput<'receiving.addPackage'>) | ({ kind: 'case' } & CallOutput<'receiving.addCase'>)

/** Adds what is scanned to the delivery; the delivery itself arrives by event. */
export class ScanTarget {
  #target = $state.raw<Target | null>(null)
  readonly #asked = new Ask<Found>()
  /** The newest scan while it is looked up. */
  loading = $derived(this.#asked.isBusy ? this.#target : null)
  failure = $derived.by(() => {
    const [target, { error }] = [this.#target, this.#asked]
    return target && error ? { target, error } : null
  })
  readonly #client: Client
  readonly #blind: BlindImport
  readonly #show: (found: Found) => void
  readonly #keep: (caseId: CaseId, typed: ImportFormState) => void

  /** `show` brings what the newest scan found into sight; `keep` keeps what was typed for a case before it was found. */
  constructor(
    client: Client,
    blind: BlindImport,
    show: (found: Found) => void,
    keep: (caseId: CaseId, typed: ImportFormState) => void,
  ) {
    this.#keep = keep
    this.#client = client
    this.#blind = blind
    this.#show = show
  }

  /**
   * Adds a package or a case to the delivery. Everything that is found is added, but only the newest scan is shown, so that
   * a slow answer never takes the screen from a newer one.
   */
  async add(target: Target): Promise<Result<Found, AppError>> {
    this.#asked.clear()
    this.#target = target
    const found = await this.#asked.ask(() => this.#add(target), this.#show)
    const isNewest = this.#target === target
    if (isNewest && !found.ok && target.kind === 'case' && isUnanswered(found.error)) {
      this.#asked.clear()
      this.#blind.offer(target.identifier, found.error, null)
    }
    return found
  }

  /** Looks up what waited for the connection. What is in view gives way to what was found of it, everything else stays. */
  async again(): Promise<void> {
    for (const { scanned } of this.#blind.unseen) {
      const isInView = this.#blind.current?.scanned === scanned
      const found = await this.#add({ kind: 'case', identifier: scanned })
      if (!found.ok) this.#blind.stillUnseen(scanned, found.error)
      else if (isInView) this.#show(found.value)
    }
  }

  async #add(target: Target): Promise<Result<Found, AppError>> {
    if (target.kind === 'package') {
      const { packageUid, isMeant } = target
      const answer = await this.#client.call('receiving.addPackage', { packageUid, ...(isMeant && { isMeant }) })
      return answer.ok ? ok({ kind: 'package', ...answer.value }) : answer
    }
    const answer = await this.#client.call('receiving.addCase', { identifier: target.identifier })
    if (!answer.ok) return answer
    const typed = this.#blind.unseen.find(({ scanned }) => scanned === target.identifier)?.form
    if (typed) this.#keep(answer.value.caseId, typed)
    this.#blind.forget(target.identifier)
    return ok({ kind: 'case', ...answer.value })
  }
}
