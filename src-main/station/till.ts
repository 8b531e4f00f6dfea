import type { AppError } from '../../src-shared/errors'
import type { TillView } from '../../src-shared/ipc/till-view'
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

export interface Till {
  /** Null where the host can do nothing of the kind. */
  view(): TillView | null
  /** Errors: store/not-saved. */
  change(wanted: {
    isKiosk?: boolean | undefined
    startsWithComputer?: boolean | undefined
  }): Result<TillView | null, AppError>
}

/** How this computer is used as a till. Kiosk mode is ours to remember, the start with the computer is the system's. */
export function createTill(file: StationFile, host: TillHost | undefined): Till {
  const isKiosk = () => file.read().till.isKiosk
  const view = () => (host ? { isKiosk: isKiosk(), startsWithComputer: host.startsWithComputer() } : null)
  host?.setKiosk(isKiosk())

  return {
    view,
    change: (wanted) =>
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
