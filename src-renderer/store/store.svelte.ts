import type { AppError } from '../../src-shared/errors'
import type { DeliveryId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type {
  HubView,
  SettingOvertaken,
  SoldTwice,
  StoreNotice,
  StorePresence,
  StoreStation,
} from '../../src-shared/ipc/contract/hub'
import type { Text } from '../text/text.svelte'
import { Command } from '../ui/command.svelte'
import { nameFault } from '../ui/name-fault'

/** The store that this station shares with others: whether its hub answers, and what a person should know of items. */
export class Store {
  view = $state.raw<HubView | null>(null)
  notices = $state.raw<StoreNotice[]>([])
  /** Items of sales here that another station's order has too. */
  soldTwice = $state.raw<SoldTwice[]>([])
  error = $state.raw<AppError | null>(null)
  presence = $state.raw<StorePresence | null>(null)
  #presenceError = $state.raw<AppError | null>(null)
  /** The station that the person is asked about before it is removed. */
  removing = $state.raw<StoreStation | null>(null)
  /** A setting that was changed at another station at the same time: that one counts. */
  overtaken = $state.raw<SettingOvertaken | null>(null)
  /** The person is asked about going on without awaited stations. */
  isGoingOn = $state(false)
  /** The name of this station under its new identity, while the person is asked about it. */
  newName = $state<string | null>(null)
  /** Why that name can't be used. */
  nameFault = $state.raw<Text | null>(null)
  /** Going on without awaited stations. */
  readonly goingOn = new Command()
  /** Taking an identity. */
  readonly naming = new Command()
  presenceError = $derived(this.goingOn.error ?? this.#presenceError)
  isShared = $derived(this.view !== null && this.view.situation !== 'alone')
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  start(): () => void {
    const stops = [
      this.#client.on('hub.changed', (view) => (this.view = view)),
      this.#client.on('hub.notices', (notices) => (this.notices = notices)),
      this.#client.on('hub.soldTwice', (items) => (this.soldTwice = items)),
      this.#client.on('hub.presence', (presence) => (this.presence = presence)),
      this.#client.on('hub.overtaken', (overtaken) => (this.overtaken = overtaken)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const [view, notices, soldTwice] = await Promise.all([
      this.#client.call('hub.view', undefined),
      this.#client.call('hub.notices', undefined),
      this.#client.call('hub.soldTwice', undefined),
    ])
    if (view.ok) this.view = view.value
    if (notices.ok) this.notices = notices.value
    if (soldTwice.ok) this.soldTwice = soldTwice.value
  }

  async loadPresence(): Promise<void> {
    const answer = await this.#client.call('hub.presence', undefined)
    if (answer.ok && (this.presence === null || answer.value.readAt !== null)) this.presence = answer.value
    this.#presenceError = answer.ok ? null : answer.error
  }

  /** Tries to reach the hub at once. */
  async retry(): Promise<void> {
    const answer = await this.#client.call('hub.retry', undefined)
    if (answer.ok) this.view = answer.value
    await this.loadPresence()
  }

  /** Removes the station that was asked about. */
  async remove(): Promise<void> {
    const station = this.removing
    this.removing = null
    if (!station) return
    const answer = await this.#client.call('hub.removeStation', { id: station.id })
    if (answer.ok) this.presence = answer.value
    this.#presenceError = answer.ok ? null : answer.error
  }

  /** Goes on without the stations that are awaited, as they are shown. */
  async goOn(): Promise<void> {
    const stations = this.view?.awaited ?? []
    if (stations.length === 0) return
    const answer = await this.goingOn.run(() => this.#client.call('hub.goOn', { stations }))
    if (!answer) return
    this.isGoingOn = false
    if (answer.ok) this.view = answer.value
  }

  /** Asks about an identity of its own for this computer. */
  askForIdentity(): void {
    this.naming.forget()
    this.nameFault = null
    this.newName = `${this.view?.station ?? ''} 2`.trim()
  }

  /** Gives this computer an identity of its own, with the name that was entered. */
  async takeIdentity(): Promise<void> {
    const stationName = this.newName?.trim() ?? ''
    this.nameFault = nameFault(stationName, 40) ?? (stationName === '' ? { key: 'label.required' } : null)
    if (this.nameFault) return
    const answer = await this.naming.run(() => this.#client.call('join.newIdentity', { stationName }))
    if (!answer) return
    if (!answer.ok) {
      if (answer.error.code === 'join/trouble') this.newName = answer.error.freeName ?? this.newName
      return
    }
    this.newName = null
    await this.load()
    await this.loadPresence()
  }

  /** The other stations that have a manifest of a delivery: it is theirs alone. */
  manifestStations(deliveryId: DeliveryId | null): string[] {
    if (deliveryId === null || !this.isShared) return []
    const having = (this.presence?.stations ?? []).filter(
      ({ isThis, heartbeat }) => !isThis && heartbeat?.manifestOf === deliveryId,
    )
    return having.map(({ name }) => name)
  }

  /** A person has read these notices. */
  async see(ids: string[]): Promise<void> {
    const answer = await this.#client.call('hub.seen', { ids })
    this.error = answer.ok ? null : answer.error
  }
}
