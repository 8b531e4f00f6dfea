import type { AppError } from '../../../src-shared/errors'
import type { Result } from '../../../src-shared/result'
import type { BrandEntry } from '../../../src-shared/service/brands'
import type { RoomContext } from '../../core/context'
import type { Settings } from '../../database/settings'
import type { Lookup } from '../../memory/lookup'
import type { Memory } from '../../memory/store'
import type { Outbox } from '../../outbox/outbox'
import type { Reporting } from '../../outbox/reporting'
import type { LateRows } from '../../receiving/record/record-late'

/** What counts of cases are made from. */
export interface CaseCountContext extends RoomContext {
  lookup: Pick<Lookup, 'tag'>
  seen: Memory
  outbox: Outbox
  reporting: Pick<Reporting, 'view' | 'report'>
  settings: Pick<Settings, 'read' | 'keep'>
  late: Pick<LateRows, 'noteScan'>
  /** All brands of our company. Spec: Endpoints > Brands. */
  listBrands: () => Promise<Result<Pick<BrandEntry, 'uuid'>[], AppError>>
  /** Whether the account may change what cases hold. */
  canChangeCases: () => boolean
}
