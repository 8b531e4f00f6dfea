import type { ResultOf } from '../../src-shared/errors'
import type { DayExport, DayReport } from '../../src-shared/ipc/contract/checkout'
import { err, ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import type { Checkout } from '../counter/checkout'
import type { PosDays } from './pos-day'
import type { Verifying } from './verify-day'

/** Calls about a day: its report, of this station or the whole store, its verification, and what the POS says of it. */
export function dayHandlers(checkout: Checkout, verifying: Verifying, posDays: PosDays) {
  const ownId = checkout.storeDays?.ownId ?? null
  const storeDay = async (day: string) =>
    (await checkout.storeDays?.read(day)) ?? err({ code: 'hub/unreachable' as const })
  const reportOfStore = async (day: string): Promise<ResultOf<DayReport, 'hub/day-too-old' | 'hub/unreachable'>> => {
    const read = await storeDay(day)
    return read.ok ? ok(checkout.dayBook.storeDay(day, read.value, ownId)) : read
  }
  const posOf = async (day: string): Promise<Omit<DayExport, 'fileName' | 'lines'>> => {
    const { differences, left, isMissing, faulty, unknown, store } = await posDays.all(day)
    return {
      ...{ pos: differences, posLeft: left, isPosMissing: isMissing, posFaulty: faulty, posUnknown: unknown },
      posStore: store,
    }
  }
  return {
    'checkout.day': ({ day }) => ok(checkout.dayBook.day(day)),
    'checkout.exportDay': async ({ day }) => ok({ ...checkout.dayBook.exportDay(day), ...(await posOf(day)) }),
    'checkout.storeDay': ({ day }) => reportOfStore(day),
    'checkout.exportStoreDay': async ({ day }) => {
      const read = await storeDay(day)
      return read.ok ? ok({ ...checkout.dayBook.exportStoreDay(day, read.value, ownId), ...(await posOf(day)) }) : read
    },
    async 'checkout.closeStoreDay'({ day, mark, name }) {
      // Asked anew: what was so a minute ago may not be so now.
      const report = await reportOfStore(day)
      if (!report.ok) return report
      if (report.value.store?.mark !== mark) return err({ code: 'hub/day-changed' })
      if (!report.value.store.isComplete) return err({ code: 'hub/day-open' })
      const closed = await checkout.storeDays?.close(day, mark)
      if (closed?.ok === false) return closed
      const signed = checkout.dayBook.signStore(day, mark, name)
      return signed.ok ? reportOfStore(day) : signed
    },
    'checkout.signDay': ({ day, mark, name }) => checkout.dayBook.sign(day, mark, name),
    'checkout.verifyDay': ({ day }) => verifying.verify(day),
    'checkout.stopVerifying': () => verifying.pause(),
    'posDay.view': ({ day }) => ok(posDays.view(day)),
    'posDay.load': (part) => posDays.load(part),
    'posDay.forget': ({ day }) => posDays.forget(day),
    'posDay.list': ({ day, filter, from }) => ok(posDays.list(day, filter, from)),
    'posDay.setReason': ({ day, orderId, mark, reason }) => posDays.setReason(day, orderId, mark, reason),
    'posDay.setTracked': ({ day, productId, isTracked }) => posDays.setTracked(day, productId, isTracked),
    'posDay.saleNumber': ({ day, orderId }) => posDays.saleNumber(day, orderId),
  } satisfies Partial<HandlersOf<'checkout' | 'posDay'>>
}
