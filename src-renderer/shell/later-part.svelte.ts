import type * as Later from '../later'

/** The part of the page that the first paint doesn't show: not loaded, loaded, or missing. */
export class LaterPart {
  parts = $state.raw<typeof Later>()
  /** It could not be loaded: only the page as a whole can be loaded again. */
  isMissing = $state(false)
  #loading: Promise<void> | undefined

  /** Loads it, once: a browser remembers that a module could not be fetched for as long as the page lives. */
  load(): Promise<void> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  async #load(): Promise<void> {
    try {
      this.parts = await import('../later')
    } catch {
      this.isMissing = true
    }
  }
}
