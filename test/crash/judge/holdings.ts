import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { type Complain, type Findings, isReportOf, nameOf, sameItems } from './evidence'
import { lots } from '../store'
import type { Entry } from '../service'
import { matchMembers } from './members'

/** An entry of the service's book and the operation that reported it. */
export interface Match {
  entry: Entry
  operation: OperationView
}

type Transaction = Extract<Entry, { orderId: string }>
type Import = Extract<Entry, { posInventoryId: string }>

const isRival = (orderId: string) => orderId.startsWith('TILL2-')

/**
 * The service holds each accepted operation once, and nothing else. Returns which operation made which entry, in the
 * service's order.
 */
export function judgeHoldings(findings: Findings, complain: Complain): Match[] {
  const matches = new Map<Entry, OperationView>([
    ...matchTransactions(findings, complain),
    ...matchImports(findings, complain),
    ...matchMembers(findings, complain),
  ])
  judgeLists(findings, complain)
  return findings.book.flatMap((entry) => {
    const operation = matches.get(entry)
    return operation ? [{ entry, operation }] : []
  })
}

function matchTransactions({ book, sight, tagsOf }: Findings, complain: Complain): Map<Entry, OperationView> {
  const matches = new Map<Entry, OperationView>()
  const left = new Set(sight.operations.filter((one) => one.state === 'accepted' && one.orderId !== null))
  for (const entry of book) {
    if (!('orderId' in entry) || isRival(entry.orderId)) continue
    const operation = [...left].find((one) => isReportOf(one, entry))
    if (!operation) {
      const own = sight.operations.filter((one) => isReportOf(one, entry))
      const isTwice = own.some((one) => one.state === 'accepted')
      const says = own.map(nameOf).join(' and ') || 'nothing of it'
      complain(isTwice ? 'doubled' : 'untrue', `the service took ${textOf(entry)}; the station has ${says}`)
      continue
    }
    left.delete(operation)
    matches.set(entry, operation)
    if (entry.kind !== 'void' && !sameItems(entry.tagIds, tagsOf(operation))) {
      complain('untrue', `${nameOf(operation)} was saved with ${tagsOf(operation).join()}, taken as ${textOf(entry)}`)
    }
  }
  for (const operation of left) complain('lost', `${nameOf(operation)} is not at the service`)
  return matches
}

const textOf = (entry: Transaction) => `${entry.kind} of ${entry.orderId} with ${entry.tagIds.join()}`

/** For each lot, imports and removals alternate: the station's accepted ones match the service's, one by one. */
function matchImports({ book, sight, lotOf, intents }: Findings, complain: Complain): Map<Entry, OperationView> {
  const matches = new Map<Entry, OperationView>()
  const entries = Map.groupBy(
    book.filter((one): one is Import => 'posInventoryId' in one),
    ({ caseId, packagedProductId }) => `${caseId} ${packagedProductId}`,
  )
  const accepted = Map.groupBy(
    sight.operations.filter((one) => one.state === 'accepted' && lotOf(one) !== undefined),
    (one) => {
      const lot = lotOf(one)
      return `${lot?.caseId} ${lot?.packagedProductId}`
    },
  )
  for (const lot of new Set([...entries.keys(), ...accepted.keys()])) {
    const taken = entries.get(lot) ?? []
    const reported = accepted.get(lot) ?? []
    const said = `the station's ${reported.map(nameOf).join(', ')}; the service's ${taken.map((one) => one.kind).join(', ')}`
    if (taken.length < reported.length) complain('lost', said)
    else if (taken.length > reported.length) complain('doubled', said)
    else if (taken.some((one, index) => one.kind !== reported[index]?.kind)) complain('out of order', said)
    taken.forEach((entry, index) => {
      const operation = reported[index]
      if (operation) matches.set(entry, operation)
      const labels = lots.filter((one) => one.caseId === entry.caseId).map((one) => one.label)
      const isMeant = intents.some(
        (one) =>
          (one.kind === 'import' || (one.kind === 'blind-import' && labels.includes(one.label))) &&
          one.posInventoryId === entry.posInventoryId,
      )
      if (!isMeant) complain('untrue', `the service took an unintended ${entry.kind}: ${entry.posInventoryId}`)
    })
  }
  return matches
}

/** The service's own lists agree with its book. */
function judgeLists({ book, transactions, imports, sight, lotOf }: Findings, complain: Complain): void {
  const listed = transactions.map((one) => `${one.kind} ${one.order_id} ${one.performed_at}`)
  const booked = book.flatMap((one) => ('orderId' in one ? [`${one.kind} ${one.orderId} ${one.performedAt}`] : []))
  if (listed.join() !== booked.join())
    complain('untrue', `the service lists ${listed.join()}, its book ${booked.join()}`)
  const last = new Map(
    sight.operations.flatMap((one) => {
      const lot = lotOf(one)
      return one.state === 'accepted' && lot ? [[lot, one] as const] : []
    }),
  )
  for (const [lot, operation] of last) {
    const isInForce = imports.some(
      (one) => one.case_uuid === lot.caseId && one.packaged_product_uuid === lot.packagedProductId,
    )
    if (isInForce !== (operation.kind === 'import')) {
      complain(isInForce ? 'untrue' : 'lost', `${nameOf(operation)} is the last of its case; in force: ${isInForce}`)
    }
  }
}
