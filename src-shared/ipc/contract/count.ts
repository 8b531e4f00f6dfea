import { z } from 'zod'
import { CaseId, CountId, TagId } from '../../ids'
import { OperationView } from '../operation-view'
import { CountDetail, CountFinding, CountSums, CountView, CountedCase, Resolve } from '../count-view'
import { ExportFile } from '../receiving-history-view'
import { call, nothing } from './call'

/** Counts of cases, and what is made of their differences. */
export const countCalls = {
  /** The count that is not finished; null when there is none. */
  'receiving.openCount': call(nothing, CountView.nullable()),
  /** Starts a count of one case, or of all cases of the delivery under way (`caseId` null). */
  'receiving.startCount': call(z.object({ caseId: CaseId.nullable() }), CountView),
  'receiving.countTag': call(
    z.object({ countId: CountId, tagId: TagId }),
    z.object({ count: CountSums, finding: CountFinding }),
  ),
  /** `case`: the one that the item is of, as it stands now; null when it is of none. */
  'receiving.uncountTag': call(
    z.object({ countId: CountId, tagId: TagId }),
    z.object({ count: CountSums, case: CountedCase.nullable() }),
  ),
  'receiving.finishCount': call(z.object({ countId: CountId }), CountView),
  'receiving.countDetail': call(z.object({ countId: CountId }), CountDetail),
  /** Gives back what is reported: nothing for `ignore` and `open`. */
  'receiving.resolve': call(Resolve, z.array(OperationView)),
  'receiving.exportCount': call(z.object({ countId: CountId }), ExportFile),
} as const
