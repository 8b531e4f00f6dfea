import { createContext } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'

/** Which sections of a thing are open, by title. One that a person opened, or that was open when they saw it, stays so when new data comes. */
export class Folds {
  readonly #open = new SvelteMap<string, boolean>()

  isOpen(title: string): boolean {
    return this.#open.get(title) ?? false
  }

  /** Something in it has to be seen: it opens, and stays open once that is settled. */
  show(title: string): void {
    this.#open.set(title, true)
  }

  toggled(title: string, isOpen: boolean): void {
    if (isOpen !== this.isOpen(title)) this.#open.set(title, isOpen)
  }
}

export const [getFolds, setFolds] = createContext<Folds>()
