import type { AppError } from '../../src-shared/errors'
import type { UpdateView, Welcome } from '../../src-shared/ipc/contract/app'
import type { TillView } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { saved } from '../database/saved'
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

/** Settings for using this computer as a till. The app stores kiosk mode; the system stores the start with the computer. */
export function createTill(file: StationFile, host: TillHost | undefined) {
  const isKiosk = () => file.read().till.isKiosk
  const view = () =>
    host ? { isKiosk: isKiosk(), startsWithComputer: host.startsWithComputer(), canSavePdf: true } : null
  host?.setKiosk(isKiosk())

  return {
    /** Null if the host has no such features. */
    view,
    /** Errors: store/not-saved. */
    change: (wanted: {
      isKiosk?: boolean | undefined
      startsWithComputer?: boolean | undefined
    }): Result<TillView | null, AppError> =>
      saved(() => {
        if (!host) return ok(null)
        if (wanted.isKiosk !== undefined) {
          const next = wanted.isKiosk
          file.change((settings) => ({ ...settings, till: { ...settings.till, isKiosk: next } }))
          host.setKiosk(next)
        }
        if (wanted.startsWithComputer !== undefined) host.setStartsWithComputer(wanted.startsWithComputer)
        return ok(view())
      }),
    /** Errors: till/no-pdf. */
    async pdf(): Promise<Result<{ base64: string }, AppError>> {
      const made = (await host?.pdf()) ?? null
      return made ? ok({ base64: made.toString('base64') }) : err({ code: 'till/no-pdf' })
    },
  }
}

export type Till = ReturnType<typeof createTill>

/** The first-start question: practice, or connect to a store. */
export function createFirstStart(file: StationFile) {
  // A file that has a connection or was damaged belongs to a station that has been started before.
  const isNew = () => file.problem === null && !file.read().isWelcomed && file.read().profiles.length === 0
  return {
    view: (): Welcome => ({ isNew: isNew() }),
    /** Call when the question is answered, by a choice or by the first scan. Errors: store/not-saved. */
    answered: (): Result<null, AppError> =>
      saved(() => {
        if (isNew()) file.change((settings) => ({ ...settings, isWelcomed: true }))
        return ok(null)
      }),
  }
}

/**
 * Connects a host that downloaded an update with the person who chooses when to install it. The page shows the offer
 * itself, never as a dialog over it.
 */
export function createUpdateOffer(announce: (view: UpdateView) => void) {
  let view: UpdateView = { version: null, isAgreed: false }
  const show = (next: UpdateView) => {
    view = next
    announce(view)
  }
  return {
    view: (): UpdateView => view,
    /** Offers a version that the host has downloaded. */
    offer(version: string) {
      show({ version, isAgreed: false })
    },
    /** Ends the offer: the update is being installed, or its installation failed. */
    withdraw() {
      show({ version: null, isAgreed: false })
    },
    /** Agrees to a version, if it is the one offered. */
    agree(version: string): UpdateView {
      if (view.version === version && !view.isAgreed) show({ version, isAgreed: true })
      return view
    },
  }
}

export type UpdateOffer = ReturnType<typeof createUpdateOffer>
