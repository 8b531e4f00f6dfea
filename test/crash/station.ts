import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { createClient } from '../../src-shared/ipc/client'
import { compose } from '../../src-main/app/compose'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { type Step, steps } from './kills'
import { fakeScanners } from '../fakes/hid-layer'
import { outsidePractice } from '../fakes/outside-practice'
import { chanceOf } from './chance'
import { liveThrough } from './life'
import { openLedger } from './ledger'
import { dayOf, firstLook, isFirstDay } from './script'
import { account, dispensary, sourcing } from './store'

/**
 * The crash suite's child process: one life of a station, with the real core, until the day is over or it is killed.
 */

export const LifeOrder = z.object({
  dataDir: z.string(),
  resourcesDir: z.string(),
  ledgerFile: z.string(),
  seed: z.number(),
  /** Null: only the first look at the shop. */
  run: z.number().nullable(),
  life: z.number(),
  /** Whichever is reached first. */
  kills: z.array(z.object({ at: z.enum(steps), nth: z.number() })),
  service: z.object({
    baseUrl: z.string(),
    authUrl: z.string(),
    adminUrl: z.string(),
    /** The service writes its own time of a sale, and not the reported one. */
    hasOwnMoments: z.boolean(),
  }),
})
export type LifeOrder = z.infer<typeof LifeOrder>

/** Calls whose commit is a promise to the person. */
const changesOutbox =
  /^(checkout\.(finish|void|amend|reopen)|receiving\.(import|importBlind|undo|resolve)|outbox\.(retry|confirm|dismiss|withdraw))$/

async function live(order: LifeOrder): Promise<void> {
  const { seed, run, life, service, dataDir, resourcesDir } = order
  // The jitter of the station's pauses comes from the seed as well.
  const jitter = chanceOf('jitter', seed, run ?? 'first look', life)
  Math.random = () => jitter.next()

  const ledger = openLedger(order.ledgerFile)
  const left = new Map(order.kills.map(({ at, nth }) => [at, nth]))
  const atStep = (step: Step) => {
    const times = left.get(step)
    if (times !== undefined) left.set(step, times - 1)
    if (times !== 1) return
    ledger.write({ line: 'killed', at: step })
    process.kill(process.pid, 'SIGKILL')
  }
  const app = await compose({
    dataDir,
    resourcesDir,
    version: '0.0.0-crash',
    // The suite ignores devices plugged into this computer.
    scanners: fakeScanners().layer,
    startPractice: outsidePractice({
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      adminUrl: service.adminUrl,
      account,
      sourcing,
      dispensary,
    }),
    atStep,
  })
  process.stdout.write('ready\n')

  const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  const client = createClient({
    async invoke(call, input) {
      const answer = await dispatch('crash suite', call, input)
      if (changesOutbox.test(call)) atStep('call.answered')
      return answer
    },
    subscribe: () => () => undefined,
  })
  const photosFolder = join(dataDir, 'practice', 'photos')
  await liveThrough({ client, ledger, day: run === null ? firstLook : dayOf(seed, run), photosFolder, service })
  // A clean close takes half of a life's work: all is judged already, so most stations just exit.
  if (run === null || isFirstDay(run)) await app.close()
  ledger.close()
  process.exit(0)
}

void live(LifeOrder.parse(JSON.parse(process.argv[2] ?? '')))
