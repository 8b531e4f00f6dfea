import type { ResultOf } from '../../src-shared/errors'
import type { UpdateView } from '../../src-shared/ipc/contract/app'
import type { TillView } from '../../src-shared/ipc/contract/station'
import { err, ok } from '../../src-shared/result'
import type { Events, HandlersOf } from '../ipc/handlers'
import { type NotSaved, saved } from '../database/saved'
import type { StationFile } from './station-file'

/** Features of the host's computer that a browser doesn't offer. */
export interface TillHost {
  /** In kiosk mode the window fills the display and can only be left in Settings. */
  setKiosk(isKiosk: boolean): void
  /** Null if the app isn't installed. */
  startsWithComputer(): boolean | null
  /** Throws if the disk refuses. */
  setStartsWithComputer(wanted: boolean): void
  /** The page as it would be printed; null if it can't be made. */
  pdf(): Promise<Buffer | null>
}

interface WantedTill {
  isKiosk?: boolean | undefined
  startsWithComputer?: boolean | undefined
}

/** Settings for using this computer as a till. The app stores kiosk mode; the system stores the start with the computer. */
export class Till {
  readonly #file: StationFile
  readonly #host: TillHost | undefined

  constructor(file: StationFile, host: TillHost | undefined) {
    this.#file = file
    this.#host = host
    host?.setKiosk(this.#isKiosk())
  }

  handlers(): HandlersOf<'till'> {
    return {
      'till.view': () => ok(this.#view()),
      'till.change': (wanted) => this.#change(wanted),
      'till.pdf': () => this.#pdf(),
    }
  }

  /** Null if the host has no such features. */
  #view(): TillView | null {
    const host = this.#host
    return host ? { isKiosk: this.#isKiosk(), startsWithComputer: host.startsWithComputer(), canSavePdf: true } : null
  }

  #isKiosk(): boolean {
    return this.#file.read().till.isKiosk
  }

  #change({ isKiosk, startsWithComputer }: WantedTill): ResultOf<TillView | null, NotSaved> {
    const host = this.#host
    return saved(() => {
      if (!host) return ok(null)
      if (isKiosk !== undefined) {
        this.#file.change((settings) => ({ ...settings, till: { ...settings.till, isKiosk } }))
        host.setKiosk(isKiosk)
      }
      if (startsWithComputer !== undefined) host.setStartsWithComputer(startsWithComputer)
      return ok(this.#view())
    })
  }

  async #pdf(): Promise<ResultOf<{ base64: string }, 'till/no-pdf'>> {
    const made = (await this.#host?.pdf()) ?? null
    return made ? ok({ base64: made.toString('base64') }) : err({ code: 'till/no-pdf' })
  }
}

/** The theme, and the first-start question: practice, or connect to a store. */
export function stationHandlers(file: StationFile, events: Pick<Events, 'emit'>): HandlersOf<'station'> {
  // A file that has a connection or was damaged belongs to a station that has been started before.
  const isNew = () => file.problem === null && !file.read().isWelcomed && file.read().profiles.length === 0
  return {
    'station.welcome': () => ok({ isNew: isNew() }),
    // The question was answered, by a choice or by the first scan.
    'station.welcomed': () =>
      saved(() => {
        if (isNew()) file.change((settings) => ({ ...settings, isWelcomed: true }))
        return ok(null)
      }),
    'station.theme': () => ok({ theme: file.read().theme }),
    'station.setTheme': ({ theme }) =>
      saved(() => {
        file.change((settings) => ({ ...settings, theme }))
        events.emit('station.theme', { theme })
        return ok(null)
      }),
  }
}

/**
 * Connects a host that downloaded an update with the person who chooses when to install it. The page shows the offer
 * itself, never as a dialog over it.
 */
export class UpdateOffer {
  readonly #announce: (view: UpdateView) => void
  #view: UpdateView = { version: null, isAgreed: false }

  constructor(announce: (view: UpdateView) => void) {
    this.#announce = announce
  }

  handlers(): HandlersOf<'update'> {
    return {
      'update.view': () => ok(this.view()),
      'update.restart': ({ version }) => ok(this.agree(version)),
    }
  }

  view(): UpdateView {
    return this.#view
  }

  /** Offers a version that the host has downloaded. */
  offer(version: string): void {
    this.#show({ version, isAgreed: false })
  }

  /** Ends the offer: the update is being installed, or its installation failed. */
  withdraw(): void {
    this.#show({ version: null, isAgreed: false })
  }

  /** Agrees to a version, if it is the one offered. */
  agree(version: string): UpdateView {
    if (this.#view.version === version && !this.#view.isAgreed) this.#show({ version, isAgreed: true })
    return this.#view
  }

  #show(view: UpdateView): void {
    this.#view = view
    this.#announce(view)
  }
}
