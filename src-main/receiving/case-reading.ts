import type { AppError } from '../../src-shared/errors'
import type { CaseId } from '../../src-shared/ids'
import type { DeliveryCase } from '../../src-shared/ipc/delivery-view'
import type { Log } from '../log'
import { type Known, type Lookup, briefOf, recall } from '../memory/lookup'
import type { CaseInBrief, Memory } from '../memory/store'
import { askEntry } from './ask-entry'
import type { CaseViews, Entry } from './case-views'
import type { ListedCase } from './delivery-rows'
import type { Turns } from '../turns'

/** A case to be read; `entry` is what its package says of it, left out where the case itself tells its packages. */
export interface ToRead extends ListedCase {
  entry?: Entry
}

/** What was found out of a case. */
export interface Read {
  caseId: CaseId
  /** Left out when nobody could be asked: then it is as it is remembered. */
  answer?: { known: Known<CaseInBrief>; entry: Entry; askedAt: number }
}

/** Reads the cases of a delivery, and knows which are being read. */
export interface CaseReading {
  /** From here on they count as being read; each is told to `onRead` once. Never rejects. */
  read(cases: ToRead[]): Promise<void>
  /** What is known of them without asking, each when it is asked for. */
  remembered(): (listed: ListedCase) => DeliveryCase
  /** What was found out, as it stands now: with what was reported, and begun to be read, since. */
  view(listed: ListedCase, read: Read): DeliveryCase
  /**
   * Call before somebody else asks about a case; give what it gives what was answered. It counts as a reading that began
   * then. Gives what to show: the answer, unless a reading that began later was answered before.
   */
  begin(): (caseId: CaseId, known: Known<CaseInBrief>, entry: Entry) => Read
  /** Resolves once nothing is being read; what is not begun by then never is. */
  stop(): Promise<void>
}

export interface CaseReadingParts {
  lookup: Lookup
  seen: Memory
  views: CaseViews
  turns: Turns
  log: Log
  onRead: (read: Read) => void
}

/** When so many in a row got no answer, the rest of a reading is not asked about: a shop's line is down. */
const enoughSilences = 8

export function createCaseReading({ lookup, seen, views, turns, log, onRead }: CaseReadingParts): CaseReading {
  let begun = 0
  /** Of each case the reading that was begun last: only that one's answer counts. By their numbers, as the next. */
  const running = new Map<CaseId, number>()
  const answered = new Map<CaseId, number>()
  const errors = new Map<CaseId, AppError>()
  const passes = new Set<Promise<void>>()
  let isStopped = false

  const viewOf = (
    { caseId, packageUid }: ListedCase,
    known: Known<CaseInBrief> | undefined,
    entry: Entry,
    askedAt?: number,
  ): DeliveryCase => {
    const found = known ? views.view(known, entry, askedAt) : null
    const importState = views.stateOf(caseId, found, entry)
    const error = found ? null : (errors.get(caseId) ?? null)
    return { caseId, packageUid, importState, case: found, error, isReading: running.has(caseId) }
  }

  const remembered = () => {
    const entryOf = views.rememberedEntries()
    return (listed: ListedCase) => {
      const known = seen.caseInBrief(listed.caseId)
      const uids = listed.packageUid === null ? (known?.value.packageUids ?? []) : [listed.packageUid]
      return viewOf(listed, known && recall(known), entryOf(listed.caseId, uids))
    }
  }

  /** Gives the error of a case that nobody could be asked about. */
  const readOne = async (wanted: ToRead, reading: number, silence: AppError | null): Promise<AppError | null> => {
    const { caseId } = wanted
    if (running.get(caseId) !== reading) return null
    const askedAt = views.moment()
    const known = silence ? ({ ok: false, error: silence } as const) : await lookup.case(caseId)
    const entry = wanted.entry !== undefined || !known.ok ? wanted.entry : await askEntry(known.value.value, lookup)
    if (isStopped || running.get(caseId) !== reading) return null
    running.delete(caseId)
    answered.set(caseId, reading)
    errors.delete(caseId)
    if (known.ok) onRead({ caseId, answer: { known: briefOf(known.value), entry, askedAt } })
    else {
      errors.set(caseId, known.error)
      onRead({ caseId })
    }
    return known.ok ? known.value.silence : known.error.code === 'service/not-found' ? null : known.error
  }

  const readAll = async (cases: ToRead[], reading: number) => {
    let silences = 0
    let silence: AppError | null = null
    await Promise.all(
      cases.map((wanted) =>
        turns(async () => {
          if (isStopped) return
          const error = await readOne(wanted, reading, silences >= enoughSilences ? silence : null)
          silences = error ? silences + 1 : 0
          silence = error
        }).catch((cause: unknown) => {
          if (running.get(wanted.caseId) === reading) running.delete(wanted.caseId)
          log.error('a case could not be read', { caseId: wanted.caseId, cause })
        }),
      ),
    )
  }

  return {
    read(cases) {
      const reading = ++begun
      for (const { caseId } of cases) running.set(caseId, reading)
      const pass = readAll(cases, reading).finally(() => passes.delete(pass))
      passes.add(pass)
      return pass
    },
    remembered,
    view: (listed, { answer }) =>
      answer ? viewOf(listed, answer.known, answer.entry, answer.askedAt) : remembered()(listed),
    begin() {
      const reading = ++begun
      const askedAt = views.moment()
      return (caseId, known, entry) => {
        if ((answered.get(caseId) ?? 0) > reading) return { caseId }
        answered.set(caseId, reading)
        if ((running.get(caseId) ?? reading) < reading) running.delete(caseId)
        errors.delete(caseId)
        return { caseId, answer: { known, entry, askedAt } }
      }
    },
    async stop() {
      isStopped = true
      await Promise.all(passes)
    },
  }
}
