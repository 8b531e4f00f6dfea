import type { CaseCounts } from '../../counting/cases/count'
import type { CaseViews } from '../delivery/case-views'
import type { DeliveryNotices } from '../delivery/delivery-notices'
import type { Manifests } from '../manifest/manifest'
import type { ReceivingContext } from '../receiving-context'
import type { LateRows } from './record-late'

/** What the record of a delivery is made from. */
export interface RecordContext extends ReceivingContext {
  views: CaseViews
  counts: CaseCounts
  manifests: Manifests
  late: LateRows
  notices: DeliveryNotices
}
