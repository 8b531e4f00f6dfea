/** What was looked at, one after the other: back and forward lead through it as through the pages of a browser. */
export class Trail<Entry> {
  #entries = $state.raw<readonly Entry[]>([])
  #at = $state(-1)

  current = $derived(this.#entries[this.#at] ?? null)
  canGoBack = $derived(this.#at > 0)
  canGoForward = $derived(this.#at < this.#entries.length - 1)

  /** A way back of any length helps nobody, and each entry keeps what it shows. */
  readonly #longest: number

  constructor(longest = 50) {
    this.#longest = longest
  }

  /** All of them, also those that lie ahead. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Goes on from here: what lay ahead is forgotten. */
  add(entry: Entry): void {
    this.#entries = [...this.#entries.slice(0, this.#at + 1), entry].slice(-this.#longest)
    this.#at = this.#entries.length - 1
  }

  /** False where there is no way. */
  back(): boolean {
    if (!this.canGoBack) return false
    this.#at -= 1
    return true
  }

  forward(): boolean {
    if (!this.canGoForward) return false
    this.#at += 1
    return true
  }
}
