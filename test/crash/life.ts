import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../src-shared/ipc/client'
import { assertNever } from '../../src-shared/result'
import { practiceKnobs } from '../fakes/practice-admin'
import { endDay } from './evening'
import type { Ledger } from './ledger'
import { type At, createCashier } from './person-checkout'
import { createReceiver } from './person-delivery'
import { createDatabaseHost } from './person-outbox'
import { createClerk } from './person-receiving'
import { createCounter } from './person-shelf'
import { pastOf } from './past'
import { rivalSale } from './rival'
import type { Day, Deed } from './script'
import { photoFilesIn, sightOf, signIn } from './sight'
import { createTeller } from './teller'

interface LifeParts {
  client: Client
  ledger: Ledger
  day: Day
  /** Where the station keeps photos of deliveries. */
  photosFolder: string
  service: { baseUrl: string; authUrl: string; adminUrl: string; hasOwnMoments: boolean }
}

/** Continues the day where the station's last life ended, up to the evening. */
export async function liveThrough({ client, day, photosFolder, service, ...parts }: LifeParts): Promise<void> {
  const past = pastOf(parts.ledger.before)
  const ledger: Ledger = {
    ...parts.ledger,
    write(line) {
      parts.ledger.write(line)
      past.note(line)
    },
  }
  const knobs = practiceKnobs(service.adminUrl)
  const teller = createTeller(client, ledger)
  const hands = { client, teller, ledger }
  const cashier = createCashier(hands)
  const clerk = createClerk(hands)
  const host = createDatabaseHost({ ...hands, cashier, clerk, knobs })
  const counter = createCounter(hands, past)
  const receiver = createReceiver(hands, past)

  const turn = (n: number, what: string, knob: () => Promise<void>) => {
    ledger.write({ line: 'knobs', n, what })
    return knob()
  }

  const doDeed = async (at: At, deed: Deed): Promise<unknown> => {
    switch (deed.do) {
      case 'open the shop':
        return clerk.open(at)
      case 'sell':
        return cashier.sell(at, deed.orderId, deed.tagIds)
      case 'return':
        return cashier.takeBack(at, deed.orderId, deed.tagIds)
      case 'void':
        return cashier.void(at, deed.orderId)
      case 'import':
        return clerk.import(at, deed.lot, deed.posInventoryId)
      case 'blind import':
        return clerk.importBlind(at, deed)
      case 'count':
        return clerk.count(at, deed, past.countOf(at.n))
      case 'undo change': {
        const all = past.changesOf(deed.of)
        const operationId = all[deed.which % Math.max(all.length, 1)]
        return operationId === undefined ? undefined : clerk.undo(at, operationId)
      }
      case 'undo import': {
        const operationId = past.importOf(deed.of)
        return operationId === undefined ? undefined : clerk.undo(at, operationId)
      }
      // The list still shows what needs attention, so the deed isn't repeated after a crash.
      case 'attend':
        return at.isAgain ? undefined : host.attend(at, deed.which, deed.how)
      case 'withdraw':
        return at.isAgain ? undefined : host.withdraw(at, deed.which)
      case 'send now':
        return teller.ask(at.n, 'outbox.sendNow', undefined)
      case 'rival sale':
        // If the service shows its own times, sales within the same second can't be told apart.
        return service.hasOwnMoments ? undefined : rivalSale(service, deed.orderId, deed.tagId)
      case 'read the shelf':
        return counter.read(at)
      case 'count the shelf':
        return counter.count(at, deed)
      case 'receive a delivery':
        return receiver.receive(at, deed)
      case 'break':
        // The service's own times would come from a different clock than its `Date` header.
        if (service.hasOwnMoments && 'dateSkewMs' in deed.faults) return undefined
        return turn(at.n, JSON.stringify(deed.faults), () => knobs.setFaults(deed.faults))
      case 'heal':
        return turn(at.n, 'heal', () => knobs.setFaults({}))
      case 'expire tokens':
        return turn(at.n, 'expire tokens', () => knobs.expireTokens())
      case 'wait':
        return pause(deed.ms)
      default:
        return assertNever(deed)
    }
  }

  await signIn(client)
  ledger.write({ line: 'opened', sight: await sightOf(client), files: photoFilesIn(photosFolder) })
  for (const { n, patience, deed } of day.steps) {
    if (past.isDone(n)) continue
    const isAgain = past.wasBegun(n)
    ledger.write({ line: 'begins', n, what: deed.do })
    await doDeed({ n, patience, isAgain }, deed)
    ledger.write({ line: 'done', n })
  }
  ledger.write({ line: 'evening' })
  await knobs.setFaults({})
  await endDay({ ...hands, host, photosFolder, isPatient: day.isPatient })
}
