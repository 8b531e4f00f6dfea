import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import type { HubPolicy } from '../../../src-shared/ipc/contract/hub'
import type { HostingOptions, HostingState, HostingView } from '../../../src-shared/ipc/contract/hosting'
import { t } from '../../text/text.svelte'
import type { ChipTone } from '../../ui/tones'
import { Command } from '../../ui/command.svelte'
import { Form } from '../../ui/form.svelte'
import { nameFault } from '../../ui/name-fault'
import type { Joining } from './joining.svelte'

/** Settings > Store: this computer keeps the store. */
export class Hosting {
  /** Null until it is known. */
  view = $state.raw<HostingView | null>(null)
  readonly steps = new Command()
  #viewError = $state.raw<AppError | null>(null)
  error = $derived(this.steps.error ?? this.#viewError)
  /** The form, while it is open. */
  entry = $state.raw<HostEntry | null>(null)
  /** The other stations, while it is asked whether to stop; null if they are not known. */
  stopping = $state.raw<{ names: string[] | null } | null>(null)
  /** The store of the connection in use is kept here. */
  isHosted = $derived(this.view?.hosted?.isOther === false)
  /** Settings shows it: a station that joined another hub needs none here. */
  isOffered = $derived.by(() => this.view !== null && (this.view.hosted !== null || this.#joining.view?.hub === null))
  readonly #client: Client
  readonly #joining: Pick<Joining, 'load' | 'view'>

  constructor(client: Client, joining: Pick<Joining, 'load' | 'view'>) {
    this.#client = client
    this.#joining = joining
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('hosting.view', undefined)
    this.#viewError = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  /** Main says so. */
  changed(view: HostingView): void {
    this.view = view
  }

  /** Opens the form: to begin, or to change the address. */
  async edit(): Promise<void> {
    this.steps.forget()
    const entry = new HostEntry(this.#client, this.isHosted ? (this.view?.hosted ?? null) : null, (view) => {
      this.view = view
      this.close()
      void this.#joining.load()
    })
    this.entry = entry
    await entry.look()
  }

  async askToStop(): Promise<void> {
    await this.steps.run(
      () => this.#client.call('hosting.others', undefined),
      (others) => (this.stopping = others),
    )
  }

  async stop(): Promise<void> {
    await this.steps.run(
      () => this.#client.call('hosting.stop', undefined),
      (view) => {
        this.view = view
        this.close()
        return this.#joining.load()
      },
    )
  }

  async retry(): Promise<void> {
    const answer = await this.#client.call('hosting.retry', undefined)
    if (answer.ok) this.view = answer.value
  }

  close(): void {
    this.entry = null
    this.stopping = null
    this.steps.forget()
  }
}

const empty = { port: '5433', stationName: '', folder: '' }

/** How the store is kept, as entered. */
export class HostEntry {
  readonly form: Form<typeof empty>
  address = $state<string | null>(null)
  policy = $state<HubPolicy>('warn')
  /** Null until they are known. */
  options = $state.raw<HostingOptions | null>(null)
  isLooking = $state(false)
  /** What is kept, to change its address; null to begin. */
  known = $state.raw<{ address: string; port: number } | null>(null)
  canStart = $derived(
    this.options !== null && this.address !== null && (this.known !== null || this.options.programs !== null),
  )
  readonly #client: Client

  constructor(client: Client, known: { address: string; port: number } | null, onDone: (view: HostingView) => void) {
    this.#client = client
    this.known = known
    this.form = new Form({
      empty,
      check: ({ port, stationName }) => ({
        port: /^\d{4,5}$/.test(port) && Number(port) >= 1_024 && Number(port) <= 65_535 ? undefined : portFault,
        stationName: known ? undefined : stationName === '' ? { key: 'label.required' } : nameFault(stationName, 40),
      }),
      save: async (values) => {
        const answer = await this.#save(values)
        if (!answer.ok) return answer.error
        onDone(answer.value)
        return null
      },
    })
    this.form.values.stationName = t('join.name.first')
    if (known) this.form.values.port = String(known.port)
  }

  /** Looks for addresses and PostgreSQL, in the named folder if there is one. */
  async look(): Promise<void> {
    if (this.isLooking) return
    this.isLooking = true
    const answer = await this.#client.call('hosting.options', { folder: this.#folder() })
    this.isLooking = false
    this.form.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.options = answer.value
    const { addresses } = answer.value
    const has = (address: string | null) => addresses.some((one) => one.address === address)
    if (!has(this.address))
      this.address = (addresses.find(({ address }) => address === this.known?.address) ?? addresses[0])?.address ?? null
  }

  #folder(): string | null {
    const folder = this.form.values.folder.trim()
    return folder === '' ? null : folder
  }

  #save({ port, stationName }: typeof empty) {
    const where = { address: this.address ?? '', port: Number(port) }
    return this.known
      ? this.#client.call('hosting.renew', where)
      : this.#client.call('hosting.start', { ...where, folder: this.#folder(), stationName, policy: this.policy })
  }
}

const portFault = { key: 'hosting.form.port.wrong' } as const

export const hostingTones: Record<HostingState['kind'], ChipTone> = {
  off: 'attention',
  starting: 'attention',
  running: 'good',
  failed: 'bad',
}
