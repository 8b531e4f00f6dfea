import type { AppError } from '../../src-shared/errors'
import type { UpdateView, Welcome } from '../../src-shared/ipc/contract/app'
import type { TillView } from '../../src-shared/ipc/contract/station'
import { type Result, ok } from '../../src-shared/result'
import { saved } from '../store/saved'
import type { StationFile } from './station-file'

/** What a host can do with the computer it runs on; a browser can't. */
export interface TillHost {
  /** The window fills the display, and is left in Settings only. */
  setKiosk(isKiosk: boolean): void
  /** Null where the app is not installed. */
  startsWithComputer(): boolean | null
  /** Throws when the disk refuses. */
  setStartsWithComputer(wanted: boolean): void
}

/** How this computer is used as a till. Kiosk mode is ours to remember, the start with the computer is the system's. */
export function createTill(file: StationFile, host: TillHost | undefined) {
  const isKiosk = () => file.read().till.isKiosk
  const view = () => (host ? { isKiosk: isKiosk(), startsWithComputer: host.startsWithComputer() } : null)
  host?.setKiosk(isKiosk())

  return {
    /** Null where the host can do nothing of the kind. */
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
  }
}

export type Till = ReturnType<typeof createTill>

/** The question of the first start: practise, or connect to a store. */
export function createFirstStart(file: StationFile) {
  // A file with a connection in it, or one that was damaged, is of a station that has had its first start.
  const isNew = () => file.problem === null && !file.read().isWelcomed && file.read().profiles.length === 0
  return {
    view: (): Welcome => ({ isNew: isNew() }),
    /** It was answered, by a choice or by the first scan. Errors: store/not-saved. */
    answered: (): Result<null, AppError> =>
      saved(() => {
        if (isNew()) file.change((settings) => ({ ...settings, isWelcomed: true }))
        return ok(null)
      }),
  }
}

export type FirstStart = ReturnType<typeof createFirstStart>

/** Between a host that has fetched an update and the person who says when: asked inside the page, never over it. */
export function createUpdateOffer(announce: (view: UpdateView) => void) {
  let view: UpdateView = { version: null, isAgreed: false }
  const show = (next: UpdateView) => {
    view = next
    announce(view)
  }
  return {
    view: (): UpdateView => view,
    /** The host has that version. */
    offer(version: string) {
      show({ version, isAgreed: false })
    },
    /** The update is being installed, or installing it failed: the offer is over. */
    withdraw() {
      show({ version: null, isAgreed: false })
    },
    /** Agrees to that version, if it is the one on offer. */
    agree(version: string): UpdateView {
      if (view.version === version && !view.isAgreed) show({ version, isAgreed: true })
      return view
    },
  }
}

export type UpdateOffer = ReturnType<typeof createUpdateOffer>
