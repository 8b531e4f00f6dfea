import { isDeepStrictEqual } from 'node:util'
import type { Act, CountSight, Line } from '../ledger'
import { type Complain, sameItems } from './evidence'

type CountAct = Extract<Act, { countId: unknown }>
type Explained = CountSight['differences'][number]

/** A shelf count, as the person knows it. */
interface Count {
  state: CountSight['state']
  tagIds: string[]
  /** Differences that have a reason. */
  explained: Pick<Explained, 'tagId' | 'result' | 'why'>[]
  /** What the person saw when signing. */
  signing: CountSight['results'] | undefined
  /** As it was seen first after its signature. */
  signed: CountSight | undefined
  /** What the person was doing when the station died. */
  open: CountAct | undefined
}

const stateAfter: Partial<Record<Act['kind'], CountSight['state']>> = {
  pause: 'paused',
  resume: 'counting',
  'count again': 'counting',
  end: 'finished',
  drop: 'dropped',
  sign: 'signed',
}

/** A count holds every scan that was answered, once; what was ended, explained and signed stays so. */
export function judgeCounts(lines: readonly Line[], complain: Complain): void {
  const counts = new Map<string, Count>()
  /** A start that was not answered yet: at most one count of it may be there. */
  let isStarting = false

  const look = (seen: readonly CountSight[]) => {
    for (const [id, count] of counts) {
      const now = seen.find((one) => one.id === id)
      if (now) compare(id, count, now)
      else if (count.open?.kind === 'drop') count.state = 'dropped'
      else if (count.state !== 'dropped') complain('lost', `count ${id} (${count.state}) is gone`)
      count.open = undefined
    }
    for (const one of seen) {
      judgeSums(one)
      if (counts.has(one.id)) continue
      if (!isStarting) complain('doubled', `count ${one.id} was not started`)
      isStarting = false
      counts.set(one.id, newCount())
    }
    isStarting = false
  }

  const judgeSums = ({ id, scanned, tagIds, isOfAll, results, state }: CountSight) => {
    if (new Set(tagIds).size !== scanned || tagIds.length !== scanned)
      complain('doubled', `count ${id} says ${scanned} scans, and shows ${tagIds.join()}`)
    const isCompared = state === 'finished' || state === 'signed'
    if (isCompared !== (results !== null))
      complain('untrue', `count ${id} is ${state}, with ${JSON.stringify(results)}`)
    if (isOfAll && results && results.found + results.unexpected !== scanned)
      complain('lost', `count ${id} has ${scanned} scans, and results for ${results.found} and ${results.unexpected}`)
  }

  const compare = (id: string, count: Count, now: CountSight) => {
    const { open } = count
    const states = [count.state, open && stateAfter[open.kind]]
    if (!states.includes(now.state)) complain('lost', `count ${id} was ${count.state} and is ${now.state}`)
    const scans = [count.tagIds, ...(open?.kind === 'scan' ? [[...count.tagIds, open.tagId]] : [])]
    if (!scans.some((tagIds) => sameItems(tagIds, now.tagIds)))
      complain('lost', `count ${id} had ${count.tagIds.join()} (${JSON.stringify(open)}), and has ${now.tagIds.join()}`)
    if (now.results) judgeReasons(id, count, now)
    if (now.state === 'signed') judgeSigned(id, count, now)
    count.state = now.state
    count.tagIds = now.tagIds
  }

  const judgeReasons = (id: string, count: Count, { differences }: CountSight) => {
    const still = count.explained.flatMap(
      ({ tagId, result, why }) =>
        differences.find((one) => one.tagId === tagId && one.result === result && one.why === why) ?? [],
    )
    for (const { tagId, reason } of still)
      if (reason === null) complain('lost', `count ${id} lost the reason of ${tagId}`)
    count.explained = still
  }

  const judgeSigned = (id: string, count: Count, now: CountSight) => {
    const before = count.signed ?? { ...now, results: count.signing ?? now.results }
    if (!isDeepStrictEqual(before, now)) {
      complain('untrue', `count ${id} was signed as ${JSON.stringify(before)}, and is ${JSON.stringify(now)}`)
    }
    if (now.differences.some(({ reason }) => reason === null))
      complain('untrue', `count ${id} is signed without a reason`)
    count.signed = now
  }

  const act = (doing: CountAct) => {
    if (doing.kind === 'start') isStarting = true
    else {
      const count = counts.get(doing.countId)
      if (count) count.open = doing
      if (count && doing.kind === 'sign') count.signing = doing.results
    }
  }

  const done = (what: CountAct) => {
    if (what.kind === 'start') {
      isStarting = false
      if (what.countId !== null && !counts.has(what.countId)) counts.set(what.countId, newCount())
      return
    }
    const count = counts.get(what.countId)
    if (!count) return
    count.open = undefined
    count.state = stateAfter[what.kind] ?? count.state
    if (what.kind === 'explain') count.explained.push(...what.differences)
    if (what.kind !== 'scan') return
    const has = count.tagIds.includes(what.tagId)
    if (has && what.finding !== 'again')
      complain('lost', `count ${what.countId} had ${what.tagId}, and answered ${what.finding ?? 'nothing'}`)
    if (!has && what.finding === 'again')
      complain('untrue', `count ${what.countId} answered again for ${what.tagId}, which was not scanned`)
    if (!has && what.finding === 'counted') count.tagIds = [...count.tagIds, what.tagId]
  }

  for (const line of lines) {
    if (line.line === 'opened' || line.line === 'closed') look(line.sight.counts)
    if ((line.line === 'acts' || line.line === 'acted') && 'countId' in line.act) {
      if (line.line === 'acts') act(line.act)
      else if (line.isDone) done(line.act)
      else refused(line.act)
    }
  }

  function refused(what: CountAct) {
    if (what.kind === 'start') isStarting = false
    const count = what.countId === null ? undefined : counts.get(what.countId)
    if (count) count.open = undefined
  }
}

const newCount = (): Count => ({
  ...{ state: 'counting', tagIds: [], explained: [] },
  ...{ signing: undefined, signed: undefined, open: undefined },
})
