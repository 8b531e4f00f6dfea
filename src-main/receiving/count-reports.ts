import type { CaseId, TagId } from '../../src-shared/ids'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { tagKey } from '../outbox/payload'
import type { Resolution } from './count-rows'
import type { Finding } from './differences'

/**
 * What became of the report by which a person resolved a difference: read from the operation every time, so that there is
 * no second record to disagree with.
 */
export interface CountReports {
  /** Null when there was none, or it was taken back, given up or refused. */
  inForce(tagId: TagId, resolution: Resolution | undefined): Finding['report']
  /** The report that the service refused and nobody has dealt with. */
  refused(tagId: TagId, resolution: Resolution | undefined): Operation | undefined
}

export function createCountReports(outbox: Outbox): CountReports {
  const isInForce = (operation: Operation, tagId: TagId): boolean =>
    operation.state !== 'cancelled' &&
    operation.state !== 'rejected' &&
    // Taken back once the service has the opposite, and that was not taken back in turn.
    !outbox.read
      .byKey(tagKey(tagId))
      .some((one) => one.undoes === operation.id && one.state === 'accepted' && isInForce(one, tagId))

  const reportOf = (tagId: TagId, resolution: Resolution | undefined) => {
    const operation = resolution?.operationId ? outbox.read.byId(resolution.operationId) : undefined
    const change = operation && changeOf(operation, tagId)
    return change && { operation, ...change }
  }

  return {
    inForce(tagId, resolution) {
      const report = reportOf(tagId, resolution)
      if (!report || !isInForce(report.operation, tagId)) return null
      const { does, caseId, operation } = report
      return { does, caseId, operationId: operation.id }
    },
    refused(tagId, resolution) {
      const operation = reportOf(tagId, resolution)?.operation
      return operation?.state === 'rejected' ? operation : undefined
    },
  }
}

/** What an operation does to an item; undefined when it is not about it (any more). */
function changeOf({ payload }: Operation, tagId: TagId): { does: 'remove' | 'add'; caseId: CaseId } | undefined {
  if (payload?.kind === 'remove-item' && 'caseId' in payload && payload.tagId === tagId)
    return { does: 'remove', caseId: payload.caseId }
  if (payload?.kind === 'add-items' && payload.tagIds.includes(tagId)) return { does: 'add', caseId: payload.caseId }
  return undefined
}
