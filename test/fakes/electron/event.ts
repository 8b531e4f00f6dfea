import type { Event } from 'electron'

/** An Electron event: `params`, and a preventDefault whose call is recorded. */
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

/** Like Electron, the fake refuses some calls after ready, and most calls before it. */
export class Readiness {
  isReady = false

  before(call: string): void {
    if (this.isReady) throw new Error(`${call} can only be called before app is ready`)
  }

  after(call: string): void {
    if (!this.isReady) throw new Error(`${call} can only be called after app is ready`)
  }
}
