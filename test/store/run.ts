import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPracticeService } from '../../src-practice/start'
import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import { practiceId } from '../../src-shared/ipc/contract/station'
import { chanceOf } from '../crash/chance'
import { practiceKnobs } from '../fakes/practice-admin'
import { startSlowLine } from '../hub/slow-line'
import { account, dispensary, shopOf } from '../partition/shop'
import { removeFolder } from '../remove-folder'
import { hubFacts, stationFacts } from './facts'
import { type Entry, createJournal } from './journal'
import { type Complaint, type Evidence, judge, level } from './judge'
import type { Lane } from './lane'
import { type Person, type Sold, createPerson } from './person'
import { type Trouble, dayOf, stationCount, tagCount } from './script'
import { type Till, openTill } from './till'

export interface RunParts {
  lane: Lane
  seed: number
  run: number
  policy: HubPolicy
  /** Parent folder of the runs' folders. */
  folder: string
  resourcesDir: string
}

export interface RunResult {
  run: number
  policy: HubPolicy
  complaints: Complaint[]
  entries: Entry[]
  kills: number
  hubKills: number
  cuts: number
  /** What the stations logged as wrong, and what stations and hub held in the end; empty if nothing is complained of. */
  log: string[]
}

/** How long a scan waits for the hub, in ms. */
const patience = 250
/** Once all is healed, everything must be sent within this time, and the hub level, in ms each. */
const longestDrain = 30_000
const longestSync = 30_000
/** After a comparison the stations may take so long to tell the hub, in ms. */
const longestLook = 3_000

/** One run: a day of three stations at one hub, then compared. */
export async function runStore({ lane, seed, run, policy, folder, resourcesDir }: RunParts): Promise<RunResult> {
  const own = join(folder, `run-${run}-${randomUUID().slice(0, 8)}`)
  mkdirSync(own, { recursive: true })
  const day = dayOf(seed, run)
  const shop = shopOf(tagCount)
  const service = await startPracticeService({ data: shop.data, db: ':memory:', port: 0, picturesDir: undefined })
  const { baseUrl, authUrl, adminUrl } = service
  const knobs = practiceKnobs(adminUrl)
  const { password, ...place } = await lane.server.store()
  const journal = createJournal()
  const storeKey = randomBytes(32).toString('base64')
  if (day.isOffline) await service.admin.setFaults({ offline: true })

  const tills = await Promise.all(
    Array.from({ length: stationCount }, async (_, index): Promise<Till> => {
      const name = 'ABC'.charAt(index)
      const line = await startSlowLine(place.port)
      return openTill({
        name,
        line,
        journal,
        process: lane.process(),
        another: () => lane.process(),
        order: {
          dataDir: join(own, name),
          resourcesDir,
          service: { baseUrl, authUrl, adminUrl },
          account,
          dispensary,
          hub: {
            stationId: randomUUID(),
            joined: { ...place, port: line.port, stationName: name, policy },
            password,
            storeKey,
            patience,
          },
        },
      })
    }),
  )
  const tillAt = (index: number) => {
    const till = tills[index]
    if (!till) throw new Error('no such station')
    return till
  }
  const isOnline = async (till: Till) => (await till.look('hub.view', undefined)).situation === 'online'
  const together = async (till: Till) => {
    await until(async () => {
      if (await isOnline(till)) return true
      await till.look('hub.retry', undefined)
      return false
    }, longestSync)
  }

  /** While it was offline, its port may have become another program's, for a moment. */
  const backOnline = () =>
    until(
      () =>
        service.admin.setFaults({}).then(
          () => true,
          () => false,
        ),
      longestDrain,
    )

  const counts = { kills: 0, hubKills: 0, cuts: 0 }
  /** PostgreSQL is stopped once at a time. */
  let hubIsUp = Promise.resolve()
  const crashHub = (downFor: number) =>
    (hubIsUp = hubIsUp.then(async () => {
      counts.hubKills++
      journal.note('hub', 'stopped')
      await lane.server.stop('immediate')
      await pause(downFor)
      await lane.server.start()
      journal.note('hub', 'started')
    }))
  const suffer = async (trouble: Trouble): Promise<void> => {
    await pause(trouble.at)
    switch (trouble.what) {
      case 'kill':
        counts.kills++
        return tillAt(trouble.station).kill(trouble.for)
      case 'hub down':
        return crashHub(trouble.for)
      case 'service down':
        await service.admin.setFaults({ offline: true })
        await pause(trouble.for)
        if (!day.isOffline) await backOnline()
        return
      case 'cut':
      case 'slow': {
        const till = tillAt(trouble.station)
        counts.cuts++
        journal.note(till.name, trouble.what === 'cut' ? trouble.how : `slow ${trouble.requests}/${trouble.answers}`)
        if (trouble.what === 'cut') till.line.cut(trouble.how)
        else till.line.slow(trouble)
        await pause(trouble.for)
        till.line.mend()
        journal.note(till.name, 'mended')
      }
    }
  }

  const sold: Sold[] = []
  const persons = tills.map((till, index): Person => {
    const chance = chanceOf('person', seed, run, index)
    return createPerson({ till, tagIds: shop.tagIds, sold, chance, knobs })
  })
  const readingHub = async () => {
    const client = new pg.Client({ ...place, password, ssl: false })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** All is repaired, sent, and compared until nothing differs, or for too long. */
  const evening = async (): Promise<{ complaints: Complaint[]; facts: string[] }> => {
    journal.note('store', 'evening')
    for (const { line } of tills) line.mend()
    await backOnline()
    await Promise.all(tills.map(together))
    const isDrained = await until(async () => {
      const left = await Promise.all(
        tills.map(async (till, index) => {
          await till.look('outbox.sendNow', undefined)
          await persons[index]?.attend()
          const { unsent, attention } = await till.look('app.status', undefined)
          return unsent + attention
        }),
      )
      return left.every((count) => count === 0)
    }, longestDrain)
    const client = await readingHub()
    const evidence = async (): Promise<Evidence> => ({
      policy,
      entries: journal.entries,
      stations: await Promise.all(
        tills.map(async (till) => {
          const { name, stationId } = till
          const file = join(own, `${name}-copy.db`)
          await till.copy(file)
          return stationFacts(name, stationId, file)
        }),
      ),
      hub: await hubFacts(client),
      taken: await knobs.transactions(),
    })
    let last = await evidence()
    await until(async () => {
      // As any other station's news would: all stations compare.
      await client.query(`SELECT countertag.tell('claims'), countertag.tell('held')`)
      await Promise.all(tills.map(together))
      // Not at once again: each comparison notes anew what is to be told.
      return until(async () => {
        await pause(60)
        last = await evidence()
        return level(last).length === 0
      }, longestLook)
    }, longestSync)
    await client.end()
    const complaints = [...(isDrained ? [] : [{ what: 'not everything was sent' }]), ...judge(last)]
    return { complaints, facts: complaints.length === 0 ? [] : linesOf(last, complaints[0]?.tagId) }
  }

  try {
    await Promise.all(tills.map(together))
    await Promise.all([
      ...persons.map((person, index) => person.work(day.persons[index] ?? [])),
      ...day.troubles.map(suffer),
    ])
    const { complaints, facts } = await evening()
    const log = complaints.length === 0 ? [] : tills.flatMap(({ name, dataDir }) => wrongIn(name, dataDir))
    return { run, policy, complaints, entries: journal.entries, log: [...facts, ...log], ...counts }
  } finally {
    await hubIsUp
    for (const till of tills) lane.putBack(await till.close())
    for (const { line } of tills) await line.close()
    await service.close()
    await lane.drop({ ...place, password })
    await removeFolder(own)
  }
}

/** Warnings and errors of a station's log. */
function wrongIn(name: string, dataDir: string): string[] {
  const lines = readFileSync(join(dataDir, practiceId, 'countertag.log'), 'utf8').split('\n')
  return lines.filter((line) => /warn|error/.test(line.slice(0, 80))).map((line) => `${name}: ${line}`)
}

/** What stations and hub hold of an item, and what they have yet to tell each other; without an item, all. */
function linesOf({ stations, hub }: Evidence, tagId: string | undefined): string[] {
  const isAbout = (one: { tagId?: string; tag?: string; tagIds?: string[] }) =>
    tagId === undefined || one.tagId === tagId || one.tag === tagId || one.tagIds?.includes(tagId) === true
  return [
    `hub: ${JSON.stringify({ claims: hub.claims.filter(isAbout), held: hub.held, notices: hub.notices })}`,
    ...stations.map(({ name, stationId, reports, lines, claims, notices, due, shared, unshared, taken }) => {
      const own = { reports, lines, claims, notices }
      const about = Object.entries(own).map(([what, those]) => [what, [...those].filter(isAbout)])
      return `${name}: ${JSON.stringify({ stationId, ...Object.fromEntries(about), due, shared, unshared, taken })}`
    }),
  ]
}

async function until(isSo: () => Promise<boolean>, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > end) return false
    await pause(30)
  }
  return true
}
