import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { DeliveryCase, DeliveryPackage } from '../../src-shared/ipc/delivery-view'
import { type Result, ok } from '../../src-shared/result'
import { isUnanswered } from '../../src-shared/unreachable'
import type { BlindImport } from './blind-import.svelte'
import type { Delivery } from './delivery.svelte'

/** What a scan or an entry asks for. */
export type Target = { kind: 'package'; packageUid: string } | { kind: 'case'; identifier: string }

/** What a scan added to the delivery, for whoever announces it. `isNew`: it was not there before. */
export type Found =
  | { kind: 'package'; package: DeliveryPackage; cases: DeliveryCase[]; isNew: boolean }
  | { kind: 'case'; case: DeliveryCase; isNew: boolean }

export interface FindingParts {
  client: Client
  delivery: Delivery
  blind: BlindImport
  /** Takes cases into the delivery. */
  put: (cases: DeliveryCase[]) => void
  /** Brings what the newest scan found into sight. */
  show: (found: Found) => void
}

/** Looks up what is scanned, and adds it to the delivery. */
export class Finding {
  /** The look-up of the newest scan; null when it is answered. */
  loading = $state.raw<Target | null>(null)
  failure = $state.raw<{ target: Target; error: AppError } | null>(null)
  /** How many look-ups added something: what main said before is outdated since. */
  added = 0
  readonly #parts: FindingParts
  #lookUps = 0

  constructor(parts: FindingParts) {
    this.#parts = parts
  }

  /**
   * Adds a package or a case to the delivery. Whatever is found is added; only the newest scan is shown, so a slow answer
   * never takes the screen from a newer one.
   */
  async add(target: Target): Promise<Result<Found, AppError>> {
    const lookUp = ++this.#lookUps
    this.loading = target
    this.failure = null
    const found = target.kind === 'package' ? await this.#addPackage(target) : await this.#addCase(target)
    if (lookUp !== this.#lookUps) return found
    this.loading = null
    if (found.ok) this.#parts.show(found.value)
    else if (target.kind === 'case' && isUnanswered(found.error)) {
      this.#parts.blind.offer(target.identifier, found.error, null)
    } else this.failure = { target, error: found.error }
    return found
  }

  async #addPackage({ packageUid }: { packageUid: string }): Promise<Result<Found, AppError>> {
    const { client, delivery } = this.#parts
    const answer = await client.call('receiving.addPackage', { packageUid })
    if (!answer.ok) return answer
    const { package: found, cases } = answer.value
    this.added++
    delivery.begin(answer.value.delivery)
    const isNew = !delivery.hasPackage(found.packageUid)
    delivery.putPackage(found)
    this.#parts.put(cases)
    return ok({ kind: 'package', package: found, cases, isNew })
  }

  async #addCase({ identifier }: { identifier: string }): Promise<Result<Found, AppError>> {
    const { client, delivery, blind } = this.#parts
    const answer = await client.call('receiving.addCase', { identifier })
    if (!answer.ok) return answer
    const found = answer.value.case
    this.added++
    delivery.begin(answer.value.delivery)
    const isNew = !delivery.row(found.caseId)
    this.#parts.put([found])
    blind.forget(identifier)
    return ok({ kind: 'case', case: found, isNew })
  }
}
