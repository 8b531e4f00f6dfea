import type { RoomContext } from '../core/context'
import type { Lookup, ReadCase } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { Connection } from '../service/connection'
import type { V12Client } from '../service/v12'

/** What the ledger of the shelf is read with. */
export interface StockContext extends RoomContext {
  seen: Pick<Memory, 'case' | 'caseOf' | 'package'>
  lookup: Pick<Lookup, 'package' | 'tag'> & { readCase: ReadCase }
  client: { collections: Pick<V12Client['collections'], 'get'> }
  connection: Pick<Connection, 'isOutOfReach'>
  /** Our own dispensary in the service; null when unknown. */
  ownDispensaryId: string | null
}
