import type { DeliverySummary } from '../../src-shared/ipc/delivery-view'
import { iso } from '../clock'
import type { DeliveryRow, DeliveryRows } from './delivery-rows'

/** A delivery in few words. */
export const summaryOf = ({ seq, id, startedAt, finishedAt }: DeliveryRow, rows: DeliveryRows): DeliverySummary => ({
  id,
  startedAt: iso(startedAt),
  finishedAt: finishedAt === null ? null : iso(finishedAt),
  packageUids: rows.packages(seq),
  ...rows.counts(seq),
})
