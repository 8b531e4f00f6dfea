import type { RoomContext } from '../../core/context'
import type { AtStep } from '../../core/steps'
import type { Memory } from '../../memory/store'
import type { Ledger } from '../../stock/ledger'
import type { Refresh } from '../../stock/refresh'

/** What counts of the shelf are made from. The last three are what a test replaces. */
export interface ShelfContext extends RoomContext {
  ledger: Ledger
  seen: Pick<Memory, 'case' | 'tag'>
  /** Asks what an unknown item is. */
  identify: Refresh['identify']
  /** What the others call this station; undefined if it has no name. */
  stationName: () => string | undefined
  atStep: AtStep
  /** [0, limit), for a sample. */
  random?: (limit: number) => number
  /** Lets other work run: between slices. */
  pause?: () => Promise<unknown>
  /** Items of a slice. */
  atOnce?: number | undefined
}
