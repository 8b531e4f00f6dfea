import type { Event } from 'electron'

/** An event as Electron gives it: `params`, and a preventDefault that is remembered. */
export function preventable<Params extends object>(params: Params): Event<Params> {
  let defaultPrevented = false
  return {
    ...params,
    preventDefault: () => {
      defaultPrevented = true
    },
    get defaultPrevented() {
      return defaultPrevented
    },
  }
}

/** Electron refuses some calls after it is ready, and most before it: so does the fake. */
export class Readiness {
  isReady = false

  before(call: string): void {
    if (this.isReady) throw new Error(`${call} can only be called before app is ready`)
  }

  after(call: string): void {
    if (!this.isReady) throw new Error(`${call} can only be called after app is ready`)
  }
}
