import { setTimeout as pause } from 'node:timers/promises'
import type { CountId } from '../../src-shared/ids'
import type { pastOf } from './past'
import type { At, PersonParts } from './person-checkout'
import type { ShelfDeed } from './script-shop'

/** What the person enters where a gate asks. */
const approval = { reason: 'Crash suite' }
/** How long the station may read what should be on the shelf, in ms: nothing is broken yet. */
const longestReading = 10_000
/** How often a person looks again whose signature came too late. */
const mostLooks = 5

type Past = Pick<ReturnType<typeof pastOf>, 'shelfCountOf' | 'isShelfCount'>

/** What a person does who counts the shelf. */
export function createCounter({ teller, ledger }: PersonParts, past: Past) {
  const simply = async ({ n }: At, kind: 'pause' | 'resume' | 'end' | 'count again' | 'drop', countId: CountId) => {
    const calls = {
      pause: 'stock.pause',
      resume: 'stock.resume',
      end: 'stock.finish',
      'count again': 'stock.recount',
      drop: 'stock.drop',
    } as const
    const act = { kind, countId }
    ledger.write({ line: 'acts', n, act })
    const done = await teller.ask(n, calls[kind], { countId })
    ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
    return done !== undefined
  }

  const scan = async ({ n }: At, countId: CountId, tagId: string) => {
    const act = { kind: 'scan', countId, tagId, finding: null } as const
    ledger.write({ line: 'acts', n, act })
    const found = await teller.ask(n, 'stock.scan', { countId, tagId })
    ledger.write({ line: 'acted', n, act: { ...act, finding: found?.kind ?? null }, isDone: found !== undefined })
  }

  /** The count of this deed; starts it unless it was, before the station died. Undefined if it can't be. */
  const countOfDeed = async ({ n, isAgain }: At, { scope }: ShelfDeed): Promise<CountId | undefined> => {
    const before = past.shelfCountOf(n)
    if (before !== undefined) return before
    const open = isAgain ? ((await teller.ask(n, 'stock.open', undefined)) ?? []) : []
    const found = open.find(({ id }) => !past.isShelfCount(id))?.id
    const act = { kind: 'start', countId: null } as const
    if (found === undefined) ledger.write({ line: 'acts', n, act })
    const countId = found ?? (await teller.ask(n, 'stock.start', { scope }))?.id
    ledger.write({ line: 'acted', n, act: { ...act, countId: countId ?? null }, isDone: countId !== undefined })
    return countId
  }

  const stateOf = async ({ n }: At, countId: CountId) => await teller.ask(n, 'stock.count', { countId })

  /** Explains what differs and signs, as often as it is another result by then. */
  const sign = async (at: At, countId: CountId) => {
    const { n } = at
    for (let look = 0; look < mostLooks; look++) {
      const page = await teller.ask(n, 'stock.differences', { countId, filter: { isOpen: true }, after: null })
      const differences = (page?.differences ?? []).map(({ tagId, result, why }) => ({ tagId, result, why }))
      if (differences.length > 0) {
        const act = { kind: 'explain', countId, differences } as const
        ledger.write({ line: 'acts', n, act })
        const which = { tagIds: differences.map(({ tagId }) => tagId) }
        const explained = await teller.ask(n, 'stock.explain', { countId, which, reason: 'label' })
        ledger.write({ line: 'acted', n, act, isDone: explained !== undefined })
      }
      const seen = await stateOf(at, countId)
      if (seen?.state !== 'finished') return
      const act = { kind: 'sign', countId, results: seen.results } as const
      ledger.write({ line: 'acts', n, act })
      const done = await teller.ask(n, 'stock.sign', { countId, revision: seen.revision, approval })
      ledger.write({ line: 'acted', n, act, isDone: done !== undefined })
      if (done !== undefined) return
    }
  }

  return {
    async read({ n }: At) {
      await teller.ask(n, 'stock.refresh', undefined)
      const until = Date.now() + longestReading
      while (Date.now() < until) {
        if ((await teller.ask(n, 'stock.ledger', undefined))?.refresh.state === 'idle') return
        await pause(20)
      }
    },
    async count(at: At, deed: ShelfDeed) {
      const countId = await countOfDeed(at, deed)
      if (countId === undefined) return
      let count = await stateOf(at, countId)
      if (count?.state === 'paused') await simply(at, 'resume', countId)
      if ((count?.state === 'counting' || count?.state === 'paused') && !count.isRecount) {
        // After a crash every item is scanned again: the station has to know what it has.
        for (const [index, tagId] of deed.present.entries()) {
          await scan(at, countId, tagId)
          if (index !== deed.pauseAfter || at.isAgain) continue
          await simply(at, 'pause', countId)
          await simply(at, 'resume', countId)
        }
        // Half of those that are given up have been compared.
        if (deed.end === 'drop' && deed.late === null) {
          await simply(at, 'drop', countId)
          return
        }
        await simply(at, 'end', countId)
        count = await stateOf(at, countId)
      }
      if (count?.state === 'finished' && deed.late && !at.isAgain) {
        await simply(at, 'count again', countId)
        count = await stateOf(at, countId)
      }
      if (count?.isRecount && (count.state === 'counting' || count.state === 'paused')) {
        for (const tagId of deed.late ?? []) await scan(at, countId, tagId)
        await simply(at, 'end', countId)
        count = await stateOf(at, countId)
      }
      if (count?.state !== 'finished') return
      if (deed.end === 'drop') await simply(at, 'drop', countId)
      else await sign(at, countId)
    },
  }
}
