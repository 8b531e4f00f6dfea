import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { isLeft } from '../ui/gate.svelte'
import { ImportFormState } from './import-form.svelte'
import { PosIds } from './pos-ids.svelte'

/** A scanned case that the service could not be asked about and that this station has never seen. */
export interface UnseenCase {
  scanned: string
  error: AppError
  form: ImportFormState
  /** The package that lists the case. */
  listedBy: string | null
}

/** Imports of cases that were never read: what is entered stays until it is saved or discarded. */
export class BlindImport {
  /** Ordered by scan, the latest last. */
  unseen = $state.raw<UnseenCase[]>([])
  isShown = $state(false)
  current = $derived(this.isShown ? (this.unseen.at(-1) ?? null) : null)
  readonly #client: Client
  readonly #onlyPackage: () => string | null

  /** `onlyPackage`: the package of the delivery; null if there is none, or a person has to choose from several. */
  constructor(client: Client, onlyPackage: () => string | null) {
    this.#client = client
    this.#onlyPackage = onlyPackage
  }

  /**
   * Offers the form for a scanned case, whether a package lists it (`listedBy`) or not. Earlier entries for the case
   * are kept. The suggested package is determined each time, because more packages may have been scanned.
   */
  offer(scanned: string, error: AppError, listedBy: string | null): void {
    this.add(scanned, error, listedBy)
    this.isShown = true
  }

  /** The same without showing the form. */
  add(scanned: string, error: AppError, listedBy: string | null = null): void {
    const known = this.unseen.find((one) => one.scanned === scanned)
    const ids = new PosIds()
    const form =
      known?.form ??
      new ImportFormState(
        () => listedBy ?? this.#onlyPackage() ?? '',
        () => ids,
      )
    const offered = { scanned, error, form, listedBy: known?.listedBy ?? listedBy }
    this.unseen = [...this.unseen.filter((one) => one.scanned !== scanned), offered]
  }

  /** The service answers again and knows no such case, or still doesn't answer: `error` says what. */
  stillUnseen(scanned: string, error: AppError): void {
    this.unseen = this.unseen.map((one) => (one.scanned === scanned ? { ...one, error } : one))
  }

  /** A person does not want to import it this way. */
  discard(scanned: string): void {
    this.forget(scanned)
    void this.#client.call('receiving.forgetUnreadCase', { scanned })
  }

  /** The case was found, or its import is saved. */
  forget(scanned: string): void {
    this.unseen = this.unseen.filter((one) => one.scanned !== scanned)
    if (this.unseen.length === 0) this.isShown = false
  }

  /** Saves the import of the case in front; null if something is missing or it is refused. */
  async save(): Promise<OperationView | null> {
    const { current } = this
    if (!current || current.form.isBusy || !current.form.check()) return null
    const { scanned, form } = current
    form.isBusy = true
    const answer = await this.#client.call('receiving.importBlind', { scanned, ...form.values })
    form.isBusy = false
    if (!answer.ok) {
      if (!isLeft(answer.error)) form.refuse(answer.error)
      form.wantsFocus = true
      return null
    }
    this.forget(scanned)
    return answer.value
  }
}
