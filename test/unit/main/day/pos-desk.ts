import { afterEach, beforeEach } from 'vitest'
import { PosDays } from '../../../../src-main/day/pos-day'
import type { OtherStations } from '../../../../src-main/day/pos-work'
import { silentLog } from '../../../../src-main/core/log'
import { Memory } from '../../../../src-main/memory/store'
import { createPos } from '../../../../src-main/receiving/manifest/pos'
import { createSettings } from '../../../../src-main/database/settings'
import type { PosDayView, PosDifference } from '../../../../src-shared/ipc/contract/pos-day'
import { dayContext } from '../../../fakes/day-context'
import { useCounter } from '../counter/counter-desk'
import { day, partsOf } from './pos-parts'

export { day, partsOf }

/** A counter whose day is compared with the POS. `storeDays`: of the other stations. */
export function usePosDesk(storeDays?: OtherStations) {
  const counter = useCounter()
  let days: PosDays
  let views: PosDayView[] = []

  const open = () => {
    const { db, events, outbox, clock } = counter
    const pos = createPos({ db, seen: new Memory(db), settings: createSettings(db, silentLog), clock })
    days = new PosDays(dayContext({ db, events, outbox, clock, catalogue: pos.catalogue }), storeDays)
    events.on('posDay.changed', 'test', (view) => views.push(view))
  }
  beforeEach(() => {
    views = []
    open()
  })
  afterEach(async () => {
    await days.stop()
  })

  const desk = {
    counter,
    get days() {
      return days
    },
    get views() {
      return views
    },
    /** Once the day is compared. */
    async compared(of = day): Promise<PosDayView> {
      await days.all(of)
      return days.view(of)
    },
    async load(csv: string, of = day, fileName?: string): Promise<PosDayView> {
      for (const part of partsOf(csv, of, fileName)) counter.value(days.load(part))
      return desk.compared(of)
    },
    differences: (of = day): PosDifference[] => days.list(of, 'all', 0).differences,
    /** "1001 count: Product 1 2/1". */
    brief: (of = day): string[] =>
      desk
        .differences(of)
        .map(({ orderId, kind, lines }) =>
          [`${orderId} ${kind}:`, ...lines.map(({ name, pos, here }) => `${name} ${pos}/${here}`)].join(' '),
        ),
    difference(orderId: string, of = day): PosDifference {
      const found = desk.differences(of).find((one) => one.orderId === orderId)
      if (!found) throw new Error(`order ${orderId} does not differ`)
      return found
    },
    /** Begins anew with an empty store, for one of many runs of a property. */
    async reset() {
      await days.stop()
      counter.reset()
      open()
    },
    /** Opens the same database again, like a new process. */
    async restart() {
      await days.stop()
      counter.restart()
      open()
      days.start()
    },
  }
  return desk
}
