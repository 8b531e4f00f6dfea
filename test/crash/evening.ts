import { setTimeout as pause } from 'node:timers/promises'
import type { PersonParts } from './person-checkout'
import type { createDatabaseHost } from './person-outbox'
import { checkJournal, inNeed, journalOf, photoFilesIn, sightOf, waiting } from './sight'

interface EveningParts extends PersonParts {
  host: Pick<ReturnType<typeof createDatabaseHost>, 'dismiss' | 'settle'>
  photosFolder: string
  isPatient: boolean
}

/** Once the faults are repaired, everything must be sent within this time, in ms. */
const longestEvening = 60_000
const longestPatientEvening = 150_000

/** The faults have ended: waits until the outbox is drained, and writes down what is seen. Throws if it gets stuck. */
export async function endDay(parts: EveningParts): Promise<void> {
  const { client, teller, ledger, host, photosFolder, isPatient } = parts
  const at = { n: 1_000, patience: 3_000, isAgain: false }
  const until = Date.now() + (isPatient ? longestPatientEvening : longestEvening)
  for (;;) {
    const left = await waiting(client)
    // If the operation is being sent again, its answer comes first.
    const unsettled = (await inNeed(client)).filter(({ state }) => state !== 'rejected' && state !== 'cancelled')
    for (const one of unsettled) if (one.state === 'unknown') await host.settle(at, one)
    if (left.length + unsettled.length === 0) break
    if (Date.now() > until) throw new Error(`not drained: ${JSON.stringify(left)}`)
    // A sale of items whose case isn't known waits for every earlier blind import.
    const isHeldUp = left.every((one) => one.waitsFor > 0 || one.reason?.code === 'service/not-imported')
    const blocker = isHeldUp ? left.find((one) => one.heldUpBy)?.heldUpBy : undefined
    // An operation behind a refused one continues when a person has dealt with the refused one.
    if (blocker?.state === 'rejected') await host.dismiss(at, blocker.id)
    else if (!isPatient) await teller.ask(at.n, 'outbox.sendNow', undefined)
    await pause(40)
  }
  await teller.settled()
  await checkJournal(client)
  const end = { sight: await sightOf(client), journal: await journalOf(client) }
  ledger.write({ line: 'closed', ...end, files: photoFilesIn(photosFolder) })
}
