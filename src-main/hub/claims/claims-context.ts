import type { TagId } from '../../../src-shared/ids'
import type { HubContext } from '../hub-context'
import type { ClaimRows } from './claim-rows'
import type { DirtyClaims } from './dirty-claims'

/** What keeps claims in sync works with. */
export interface ClaimsContext extends HubContext {
  rows: ClaimRows
  dirty: DirtyClaims
  /** Whether the service has an item as sold; undefined without an answer. */
  isSold: (tagId: TagId) => Promise<boolean | undefined>
  /**
   * Takes an item that another station took over out of the open sale that holds it, in the caller's transaction. Returns how to
   * show that, to be called after the commit; undefined if no open sale holds it.
   */
  letGo: (tagId: TagId) => (() => void) | undefined
  /** Lets go of the orders on hold that other stations have resumed: what they hold of them is no collision. */
  loseHeld: () => Promise<void>
}
