import { setTimeout as pause } from 'node:timers/promises'
import type { PersonParts } from './person-checkout'
import type { createKeeper } from './person-outbox'
import { inNeed, journalOf, sightOf, waiting } from './sight'

interface EveningParts extends PersonParts {
  keeper: Pick<ReturnType<typeof createKeeper>, 'dismiss' | 'settle'>
  isPatient: boolean
}

/** With the faults healed, everything must be through by then, in ms. */
const longestEvening = 60_000
const longestPatientEvening = 150_000

/** Nothing is broken any more: waits until all is drained, and writes down what is seen. Throws when it stays stuck. */
export async function endDay({ client, teller, ledger, keeper, isPatient }: EveningParts): Promise<void> {
  const at = { n: 1_000, patience: 3_000, isAgain: false }
  const until = Date.now() + (isPatient ? longestPatientEvening : longestEvening)
  for (;;) {
    const left = await waiting(client)
    // One that is being tried once more is answered first.
    const unsettled = (await inNeed(client)).filter(({ state }) => state !== 'rejected')
    for (const one of unsettled) if (one.state === 'unknown') await keeper.settle(at, one)
    if (left.length + unsettled.length === 0) break
    if (Date.now() > until) throw new Error(`not drained: ${JSON.stringify(left)}`)
    // A sale of items whose case nobody knew waits for every blind import before it.
    const isHeldUp = left.every((one) => one.waitsFor > 0 || one.reason?.code === 'service/not-imported')
    const blocker = isHeldUp ? left.find((one) => one.heldUpBy)?.heldUpBy : undefined
    // What waits behind a refused one goes on when a person has dealt with that one.
    if (blocker?.state === 'rejected') await keeper.dismiss(at, blocker.id)
    else if (!isPatient) await teller.ask(at.n, 'outbox.sendNow', undefined)
    await pause(40)
  }
  await teller.settled()
  ledger.write({ line: 'closed', sight: await sightOf(client), journal: await journalOf(client) })
}
