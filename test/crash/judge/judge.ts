import { judgeCarts } from './carts'
import { judgeCauses } from './causes'
import { judgeCounts } from './counts'
import { judgeDeliveries } from './deliveries'
import { type Complaint, type Evidence, findingsOf } from './evidence'
import { judgeHoldings } from './holdings'
import { judgeOrder } from './order'
import { judgePhotos } from './photos'
import { judgePromises } from './promises'
import { judgeRefusals } from './refusals'

/** Compares the promises with what the service holds. Without complaints, nothing was lost, doubled or out of order. */
export function judge(evidence: Evidence): Complaint[] {
  const complaints: Complaint[] = []
  const complain = (kind: Complaint['kind'], text: string) => complaints.push({ kind, text })
  const findings = findingsOf(evidence)
  if (!findings) {
    complain('lost', 'the day never ended')
    return complaints
  }
  judgePromises(evidence.lines, complain)
  judgeCauses(findings, complain)
  judgeOrder(judgeHoldings(findings, complain), findings, complain)
  judgeRefusals(findings, complain)
  judgeCarts(evidence.lines, complain)
  judgeCounts(evidence.lines, complain)
  judgeDeliveries(evidence.lines, complain)
  judgePhotos(evidence.lines, complain)
  return complaints
}
