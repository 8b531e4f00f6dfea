import { z } from 'zod'
import { type DayReport, SignerName } from '../../src-shared/ipc/contract/checkout'
import { iso, nowByService } from '../core/clock'
import { saved } from '../database/saved'
import { ok } from '../../src-shared/result'
import type { CounterContext } from '../counter/counter-context'

/** Who signed a day and when. `mark`: of the day as it was signed. `at`: ms since 1970, by the service's clock. */
const Signature = z.object({
  day: z.iso.date(),
  isOfStore: z.boolean(),
  name: SignerName,
  at: z.number(),
  mark: z.string(),
})
const Signatures = z.array(Signature)

const setting = 'day-signatures'
/** The newest are kept; the printed day is the lasting record. */
const mostKept = 120

/** Who signed which day at this computer: the day of this station, and that of the whole store. */
export class DaySignatures {
  readonly #context: Pick<CounterContext, 'settings' | 'clock' | 'serviceClock'>

  constructor(context: Pick<CounterContext, 'settings' | 'clock' | 'serviceClock'>) {
    this.#context = context
  }

  /** The signature of a day, and whether its reports have changed since. */
  of(day: string, isOfStore: boolean, mark: string): DayReport['signed'] {
    const found = this.#all().find((one) => one.day === day && one.isOfStore === isOfStore)
    return found ? { name: found.name, at: iso(found.at), isChanged: found.mark !== mark } : null
  }

  /** Signs a day as it is; an earlier signature of it is replaced. */
  sign(day: string, isOfStore: boolean, mark: string, name: string) {
    const { settings } = this.#context
    const others = this.#all().filter((one) => one.day !== day || one.isOfStore !== isOfStore)
    const signature = { day, isOfStore, name, at: nowByService(this.#context), mark }
    return saved(() => {
      settings.write(setting, [signature, ...others].slice(0, mostKept))
      return ok(null)
    })
  }

  #all() {
    return this.#context.settings.read(setting, Signatures) ?? []
  }
}
