import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Entry } from '../service'
import { countedCases } from '../store'
import { type Complain, type Findings, nameOf } from './evidence'
import { isChange } from './lots'

type Move = Extract<Entry, { tagId: string }>

/** The contents of cases, as change reports come in. A change that was already made changes nothing. */
export function createCases() {
  const all = new Map<string, { isForeign: boolean; now: Set<string>; ever: Set<string> }>(
    countedCases.map((one) => [
      one.caseId,
      { isForeign: one.isForeign, now: new Set<string>(one.inside.map(({ tagId }) => tagId)), ever: new Set<string>() },
    ]),
  )
  for (const one of all.values()) for (const tagId of one.now) one.ever.add(tagId)

  return {
    /** Undefined for a case that is never counted. */
    isIn: (caseId: string, tagId: string) => all.get(caseId)?.now.has(tagId),
    /** Whether the service accepts the change. */
    mayChange({ kind, caseId }: OperationView, tagIds: readonly string[]) {
      const found = all.get(caseId ?? '')
      if (!found || found.isForeign) return false
      return kind === 'add-items' || tagIds.every((tagId) => found.ever.has(tagId))
    },
    /** The service's record of the change. */
    change({ kind, caseId }: OperationView, tagIds: readonly string[]): Move[] {
      const found = all.get(caseId ?? '')
      if (!found || caseId === null) return []
      const isOut = kind === 'remove-item'
      const moved = tagIds.filter((tagId) => found.now.has(tagId) === isOut)
      for (const tagId of moved) {
        found.ever.add(tagId)
        if (isOut) found.now.delete(tagId)
        else found.now.add(tagId)
      }
      return moved.map((tagId) => ({ kind: isOut ? 'out' : 'in', caseId, tagId }))
    },
  }
}

/** For each item of a case, the service recorded exactly the changes of the accepted reports, in their order. */
export function matchMembers({ book, sight, tagsOf, deeds }: Findings, complain: Complain): Map<Entry, OperationView> {
  const matches = new Map<Entry, OperationView>()
  const cases = createCases()
  const changes = sight.operations.filter(isChange)
  const reported = changes
    .filter(({ state }) => state === 'accepted')
    .flatMap((operation) => cases.change(operation, tagsOf(operation)).map((move) => ({ move, operation })))
  const nameOfItem = ({ caseId, tagId }: Move) => `${tagId} of ${caseId}`
  const expected = Map.groupBy(reported, ({ move }) => nameOfItem(move))
  const taken = Map.groupBy(
    book.filter((one): one is Move => 'tagId' in one),
    nameOfItem,
  )
  for (const item of new Set([...expected.keys(), ...taken.keys()])) {
    const ours = expected.get(item) ?? []
    const theirs = taken.get(item) ?? []
    const said = `${item}: the station's ${ours.map((one) => nameOf(one.operation)).join(', ')}; the service's ${theirs.map((one) => one.kind).join(', ')}`
    if (theirs.length < ours.length) complain('lost', said)
    else if (theirs.length > ours.length) complain('doubled', said)
    else if (theirs.some((one, index) => one.kind !== ours[index]?.move.kind)) complain('out of order', said)
    theirs.forEach((entry, index) => {
      const match = ours[index]
      if (match) matches.set(entry, match.operation)
    })
  }
  judgeTwice(changes, { tagsOf, deeds }, complain)
  return matches
}

/** A count's difference is reported once, however often the station died during the report. */
function judgeTwice(
  changes: OperationView[],
  { tagsOf, deeds }: Pick<Findings, 'tagsOf' | 'deeds'>,
  complain: Complain,
): void {
  const countOf = (kind: OperationView['kind'], caseId: string, tagId: string) =>
    changes.filter((one) => one.kind === kind && one.caseId === caseId && tagsOf(one).includes(tagId)).length
  for (const { caseId, inside, beside } of countedCases) {
    for (const { tagId } of [...inside, ...beside]) {
      const meant = (how: 'add' | 'remove') =>
        new Set(
          deeds.flatMap(({ n, intent }) =>
            intent.kind === 'change' && intent.how === how && intent.caseId === caseId && intent.tagIds.includes(tagId)
              ? [n]
              : [],
          ),
        ).size
      const [added, removed, restored] = [
        countOf('add-items', caseId, tagId),
        countOf('remove-item', caseId, tagId),
        countOf('restore-item', caseId, tagId),
      ]
      const undone = (kinds: OperationView['kind'][]) =>
        changes.filter(
          (one) =>
            kinds.includes(one.kind) &&
            one.caseId === caseId &&
            tagsOf(one).includes(tagId) &&
            deeds.some(({ intent }) => intent.kind === 'undo' && intent.operationId === one.id),
        ).length
      if (added > meant('add')) complain('doubled', `${tagId} was put into ${caseId} ${added} times`)
      if (removed > meant('remove') + undone(['add-items', 'restore-item'])) {
        complain('doubled', `${tagId} was taken out of ${caseId} ${removed} times`)
      }
      if (restored > undone(['remove-item'])) {
        complain('doubled', `${tagId} was put back into ${caseId} ${restored} times`)
      }
    }
  }
}
