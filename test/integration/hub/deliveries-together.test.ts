import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { PackageUid } from '../../../src-shared/ids'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { caseNamed, delivery, tagNamed } from '../core/receiving-desk'
import type { Station } from '../core/station'

const store = useStore()

const [first, second] = [delivery(1), delivery(2)]
const single = caseNamed('house 1')

const addPackage = (station: Station, packageUid: string) => station.ask('receiving.addPackage', { packageUid })
const now = (station: Station) => station.ask('receiving.delivery', undefined)
const notices = (station: Station) => station.ask('receiving.deliveryNotices', undefined)
const offered = (station: Station) => station.ask('receiving.storeDeliveries', undefined)
const uids = async (station: Station) => (await now(station))?.packages.map(({ packageUid }) => packageUid).sort()
const caseIds = async (station: Station) => (await now(station))?.cases.map(({ caseId }) => caseId) ?? []
const apart = async (...ones: Station[]) => {
  await store.stop()
  await Promise.all(ones.map((station) => situation(station, 'offline')))
}
const back = async (...ones: Station[]) => {
  await store.start()
  await Promise.all(ones.map((station) => situation(station, 'online')))
}
/** Receives along with the station of this name. */
const joins = async (station: Station, name: string) => {
  const found = async () => (await offered(station)).find((one) => one.station === name)
  await expect.poll(found).toBeDefined()
  const deliveryId = (await found())?.id ?? ''
  await station.ask('receiving.joinDelivery', { deliveryId })
  return deliveryId
}
/** Two stations that receive one delivery, begun at Station 1 with the first package. */
const both = async () => {
  const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
  await addPackage(one, first)
  const id = await joins(two, 'Station 1')
  await expect.poll(async () => (await now(two))?.cases.length).toBe(3)
  return { one, two, id }
}

describe('what a station dropped while apart', () => {
  it('stays dropped after its delivery became a part of another one meanwhile', async () => {
    const { one, two, id } = await both()
    const three = await store.station('Station 3')
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await expect.poll(() => now(two)).toBeNull()
    await two.ask('receiving.addCase', { identifier: single })
    await addPackage(two, second)
    await joins(three, 'Station 2')
    await expect.poll(() => uids(three)).toEqual([second])
    await expect.poll(() => caseIds(three)).toContain(single)
    await apart(one, two, three)
    await one.ask('receiving.reopenDelivery', { deliveryId: id })
    await two.ask('receiving.dropCase', { caseId: single })
    await two.ask('receiving.dropPackage', { packageUid: second })
    await two.restart(async () => {
      await back(one, three)
      // The delivery that Station 2 has begun becomes a part of the first one, which it knows too.
      await joins(three, 'Station 1')
      await expect.poll(() => uids(one)).toEqual([first, second].sort())
      await expect.poll(() => caseIds(one)).toContain(single)
    })
    await situation(two, 'online')
    for (const station of [one, two, three]) {
      await expect.poll(() => uids(station)).toEqual([first])
      await expect.poll(() => caseIds(station)).toHaveLength(3)
      expect(await caseIds(station)).not.toContain(single)
    }
  })
})

/** A case of the first package that can be imported, with what an import of it needs. */
const formOf = async (station: Station) => {
  await expect.poll(async () => (await now(station))?.cases.every((found) => found.case !== null)).toBe(true)
  const found = (await now(station))?.cases.find(({ importState }) => importState.kind === 'to-import')
  const [product] = found?.case?.packagedProducts ?? []
  if (!found || !product) throw new Error('nothing to import')
  const { packagedProductId } = product
  return { caseId: found.caseId, packageUid: first, packagedProductId, posProductId: 'POS', posInventoryId: 'INV' }
}
const importsAtHub = () => store.sql('SELECT station_name, state FROM countertag.case_import')
const imported = [{ station_name: 'Station 1', state: 'imported' }]

describe('an import that another station has made', () => {
  /** Station 1 has imported a case; Station 2 and 3 know it. */
  const done = async () => {
    const { one, two, id } = await both()
    const three = await store.station('Station 3')
    await joins(three, 'Station 1')
    await expect.poll(() => caseIds(three)).toHaveLength(3)
    const form = await formOf(one)
    await formOf(two)
    await formOf(three)
    const { id: operationId } = await one.ask('receiving.import', form)
    await one.drained()
    const stateOf = async (station: Station) =>
      (await now(station))?.cases.find(({ caseId }) => caseId === form.caseId)?.importState
    const known = { kind: 'imported-here', operation: null, station: 'Station 1' }
    for (const station of [two, three]) await expect.poll(() => stateOf(station)).toMatchObject(known)
    return { one, two, three, id, form, operationId, stateOf, known }
  }

  it('is still known at all of them after one tries it too and is refused', async () => {
    const { one, two, three, form, stateOf, known } = await done()
    expect((await two.ask('receiving.import', form)).state).toBe('rejected')
    await expect.poll(importsAtHub).toEqual(imported)
    for (const station of [two, three]) await expect.poll(() => stateOf(station)).toMatchObject(known)
    expect(await stateOf(one)).toMatchObject({ kind: 'imported-here', operation: { state: 'accepted' } })
  })

  it('is known again after a station that tried it too is gone, and another one was refused', async () => {
    const { one, two, three, form, stateOf, known } = await done()
    await one.knobs.setFaults({ offline: true })
    await two.ask('receiving.import', form)
    await expect.poll(importsAtHub).toEqual([{ station_name: 'Station 2', state: 'importing' }])
    await two.restart(async () => {
      await store.sql(`UPDATE countertag.station SET seen_at = now() - interval '1 hour' WHERE name = 'Station 2'`)
      await one.knobs.setFaults({})
      expect((await three.ask('receiving.import', form)).state).toBe('rejected')
      await expect.poll(importsAtHub).toEqual(imported)
    })
    await situation(two, 'online')
    await two.ask('outbox.sendNow', undefined)
    await expect.poll(async () => (await two.ask('app.status', undefined)).unsent).toBe(0)
    expect(await importsAtHub()).toEqual(imported)
    for (const station of [two, three]) await expect.poll(() => stateOf(station)).toMatchObject(known)
  })

  it('is forgotten if it was taken back while another station tried it', async () => {
    const { one, two, three, form, operationId, stateOf } = await done()
    await one.knobs.setFaults({ offline: true })
    const { id } = await two.ask('receiving.import', form)
    const was = () => store.sql('SELECT station_name, state, was_station_name AS was FROM countertag.case_import')
    await expect.poll(was).toEqual([{ station_name: 'Station 2', state: 'importing', was: 'Station 1' }])
    await two.restart(async () => {
      await apart(one, three)
      await one.knobs.setFaults({})
      await one.ask('receiving.undo', { operationId })
      await one.drained()
      await back(one, three)
      await expect.poll(was).toEqual([{ station_name: 'Station 2', state: 'importing', was: null }])
    })
    await situation(two, 'online')
    await two.ask('outbox.sendNow', undefined)
    await two.drained()
    await expect.poll(importsAtHub).toEqual([{ station_name: 'Station 2', state: 'imported' }])
    await two.ask('receiving.undo', { operationId: id })
    await two.drained()
    await expect.poll(importsAtHub).toEqual([{ station_name: 'Station 2', state: 'over' }])
    await expect.poll(() => stateOf(three)).toMatchObject({ kind: 'to-import' })
  })
})

describe('a count that another station has begun', () => {
  const tags = Array.from({ length: 12 }, (_, at) => tagNamed(`house 1 GD-HF-35 ${at + 1}`))
  const listed = async (station: Station) => {
    await station.ask('receiving.addCase', { identifier: single })
    await expect.poll(async () => (await now(station))?.cases[0]?.case?.tagCount).toBe(tags.length)
  }
  const begin = async (station: Station, caseId: string | null) =>
    (await station.ask('receiving.startCount', { caseId })).id
  const join = async (station: Station, countId: string) => {
    await expect.poll(() => station.ask('receiving.storeCounts', undefined)).toHaveLength(1)
    await station.ask('receiving.joinCount', { countId })
  }
  const openCount = (station: Station) => station.ask('receiving.openCount', undefined)
  /** Both finish: Station 1 the count and the delivery. Returns what the record of Station 2 says. */
  const recordAt = async (two: Station, one: Station, deliveryId: string, countId: string) => {
    await one.ask('receiving.countTag', { countId, tagId: tags[0] ?? '' })
    await expect.poll(async () => (await openCount(two))?.counted).toBe(1)
    expect((await openCount(two))?.deliveryId).toBe(deliveryId)
    await one.ask('receiving.finishDelivery', { deliveryId })
    await expect.poll(() => openCount(two)).toBeNull()
    await expect.poll(() => now(two)).toBeNull()
    return (await two.ask('receiving.record', { deliveryId, version: null })).body
  }
  const held = { counts: [{ total: 12, counted: 1 }], lines: [{ caseId: single, counted: 1 }] }

  it('is in the record of the delivery at a station that counts along, of one case or of all', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await listed(one)
    const id = await joins(two, 'Station 1')
    await expect.poll(() => caseIds(two)).toHaveLength(1)
    const ofCase = await begin(one, single)
    await join(two, ofCase)
    await two.ask('receiving.finishCount', { countId: ofCase })
    await expect.poll(() => openCount(one)).toBeNull()
    const ofAll = await begin(one, null)
    await join(two, ofAll)
    const body = await recordAt(two, one, id, ofAll)
    expect(body).toMatchObject({ ...held, counts: [{ counted: 0 }, { total: 12, counted: 1 }] })
    expect(body?.differences).toHaveLength(12 + 11)
  })

  it('is in it too if the station receives along later, or if the case is listed later', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await listed(one)
    const countId = await begin(one, single)
    await join(two, countId)
    const id = await joins(two, 'Station 1')
    await expect.poll(() => caseIds(two)).toHaveLength(1)
    expect(await recordAt(two, one, id, countId)).toMatchObject(held)
  })

  it('belongs to no delivery that lacks its case', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await listed(one)
    const countId = await begin(one, single)
    await addPackage(two, first)
    await join(two, countId)
    expect(await openCount(two)).toMatchObject({ id: countId, deliveryId: null })
  })
})

describe('a delivery whose station left the store', () => {
  const removed = async (station: Station, name: string) => {
    const { stations } = await station.ask('hub.presence', undefined)
    const id = stations.find((one) => one.name === name)?.id ?? ''
    expect(await station.refused('hub.removeStation', { id })).toEqual({ code: 'hub/station-there' })
    await store.sql(`UPDATE countertag.station SET seen_at = now() - interval '1 hour' WHERE name = '${name}'`)
    await station.ask('hub.removeStation', { id })
  }

  it('goes on at the others, with what it listed and imports, and is finished by them', async () => {
    const { one, two, id } = await both()
    const three = await store.station('Station 3')
    const form = await formOf(one)
    await one.knobs.setFaults({ offline: true })
    await one.ask('receiving.import', form)
    const stateOf = async () => (await now(two))?.cases.find(({ caseId }) => caseId === form.caseId)?.importState
    await expect.poll(stateOf).toMatchObject({ kind: 'importing-elsewhere' })
    await one.restart(async () => {
      await two.ask('hub.retry', undefined)
      await expect.poll(async () => (await two.ask('hub.presence', undefined)).stations.length).toBe(3)
      await removed(two, 'Station 1')
      await one.knobs.setFaults({})
      expect(await joins(three, 'Station 1')).toBe(id)
      await addPackage(three, second)
      await expect.poll(() => uids(two)).toEqual([first, second].sort())
      // What the station that left was importing holds nothing up.
      await two.ask('receiving.import', form)
      await two.drained()
      await expect.poll(importsAtHub).toEqual([{ station_name: 'Station 2', state: 'imported' }])
      await three.ask('receiving.finishDelivery', { deliveryId: id })
      await expect.poll(() => now(two)).toBeNull()
      await two.ask('receiving.reopenDelivery', { deliveryId: id })
      await expect.poll(async () => (await now(three))?.id).toBe(id)
      await two.ask('receiving.finishDelivery', { deliveryId: id })
      await expect.poll(() => now(three)).toBeNull()
    })
    // It comes back: the delivery is over there too.
    await situation(one, 'online')
    await expect.poll(() => now(one)).toBeNull()
    const { body } = await one.ask('receiving.record', { deliveryId: id, version: null })
    expect(body?.packageUids.toSorted()).toEqual([first, second].sort())
  })
})

describe('the station that finished a delivery', () => {
  const finisher = async (station: Station, id: string) => {
    const { body } = await station.ask('receiving.record', { deliveryId: id, version: null })
    const [summary] = await station.ask('receiving.deliveries', undefined)
    return [body?.finishedAtStation, summary?.finishedAtStation]
  }
  const over = (station: Station) => expect.poll(() => now(station)).toBeNull()

  it('is named at the others, each time, and told to their screens', async () => {
    const { one, two, id } = await both()
    const told: unknown[] = []
    two.client.on('receiving.deliveryNotices', (notices) => void told.push(notices))
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await over(two)
    expect(await finisher(two, id)).toEqual(['Station 1', 'Station 1'])
    expect(await finisher(one, id)).toEqual([undefined, null])
    expect(told.at(-1)).toMatchObject([{ what: 'finished', deliveryId: id, station: 'Station 1' }])
    expect(await notices(one)).toEqual([])
    await one.ask('receiving.reopenDelivery', { deliveryId: id })
    await expect.poll(async () => (await now(two))?.id).toBe(id)
    // It isn't over any more.
    expect(told.at(-1)).toEqual([])
    expect(await notices(two)).toEqual([])
    expect((await two.ask('receiving.deliveries', undefined))[0]).toMatchObject({ finishedAtStation: null })
    await two.ask('receiving.finishDelivery', { deliveryId: id })
    await over(one)
    expect(await finisher(two, id)).toEqual([undefined, null])
    expect(await finisher(one, id)).toEqual(['Station 2', 'Station 2'])
  })

  it('is told of each delivery until a person has seen it, also after a start', async () => {
    const { one, two, id } = await both()
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await over(two)
    await addPackage(two, second)
    const other = await joins(one, 'Station 2')
    await expect.poll(() => uids(one)).toEqual([second])
    await one.ask('receiving.finishDelivery', { deliveryId: other })
    await over(two)
    await two.restart()
    await situation(two, 'online')
    const [newer, older] = await notices(two)
    expect([newer, older]).toMatchObject([
      { what: 'finished', deliveryId: other, station: 'Station 1' },
      { what: 'finished', deliveryId: id, station: 'Station 1' },
    ])
    await two.ask('receiving.seeDeliveryNotice', { id: newer?.id ?? 0 })
    expect(await notices(two)).toEqual([older])
  })

  it('is the first of two that finish it apart', async () => {
    const { one, two, id } = await both()
    const three = await store.station('Station 3')
    await joins(three, 'Station 1')
    await apart(one, two, three)
    for (const station of [one, two]) await station.ask('receiving.finishDelivery', { deliveryId: id })
    await back(one, two, three)
    await over(three)
    const [found] = await store.sql(`SELECT ended::json ->> 'stationName' AS by FROM countertag.shared_delivery`)
    expect(['Station 1', 'Station 2']).toContain(found?.['by'])
    expect(await finisher(three, id)).toEqual([found?.['by'], found?.['by']])
    expect(await finisher(one, id)).toEqual([undefined, null])
  })

  it('is named too at a hub that lost the delivery, by another station that tells it', async () => {
    const { one, two, id } = await both()
    await two.ask('receiving.finishDelivery', { deliveryId: id })
    await over(one)
    const rows = () => store.sql(`SELECT ended::json ->> 'stationName' AS by FROM countertag.shared_delivery`)
    expect(await rows()).toEqual([{ by: 'Station 2' }])
    await two.restart(async () => {
      await store.sql('DELETE FROM countertag.shared_delivery')
      await one.restart()
      await situation(one, 'online')
      await expect.poll(rows).toEqual([{ by: 'Station 2' }])
    })
  })
})

describe('before a delivery is finished', () => {
  const behind = async (station: Station, deliveryId: string) =>
    (await station.ask('receiving.finishing', { deliveryId })).behind
  const says = (text: string) => store.sql(`UPDATE countertag.station SET ${text} WHERE name = 'Station 2'`)

  it('names a station that receives it and may have listed, counted or imported what is not told', async () => {
    const { one, two, id } = await both()
    expect(await behind(one, id)).toEqual([])
    await two.restart(async () => {
      // It was closed, and said that nothing was left.
      await says(`seen_at = now() - interval '1 hour'`)
      expect(await behind(one, id)).toEqual([])
      for (const what of ['scansUntold', 'entriesUntold', 'importsUntold']) {
        await says(`says = says || '{"${what}": 2}'`)
        expect(await behind(one, id)).toEqual(['Station 2'])
        await says(`says = says || '{"${what}": 0}'`)
      }
      // It was cut off: what it has is not known.
      await says(`says = says || '{"isOff": false}'`)
      expect(await behind(one, id)).toEqual(['Station 2'])
    })
    await situation(two, 'online')
    await expect.poll(() => behind(one, id)).toEqual([])
    // A station that never received it has nothing to tell.
    await store.sql(`INSERT INTO countertag.station (id, name, version, seen_at)
      VALUES (gen_random_uuid(), 'Front 3', '0', now() - interval '1 hour')`)
    expect(await behind(one, id)).toEqual([])
    await addPackage(two, second)
    await expect.poll(() => uids(one)).toEqual([first, second].sort())
    // Without the hub, all that receive it are named.
    await apart(one, two)
    expect(await behind(one, id)).toEqual(['Station 2'])
    await back(one, two)
  })

  it('names a station whose delivery became a part of it', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await addPackage(one, first)
    await store.sql('UPDATE countertag.shared_delivery SET started_at = started_at - 60000')
    await addPackage(two, second)
    const id = await joins(two, 'Station 1')
    await two.ask('receiving.dropPackage', { packageUid: second })
    await expect.poll(() => uids(one)).toEqual([first])
    await two.restart(async () => {
      await says(`says = says || '{"entriesUntold": 1}'`)
      expect(await behind(one, id)).toEqual(['Station 2'])
    })
  })

  it('says at the Store screen what a station scanned and imported and could not tell', async () => {
    const { one, two } = await both()
    const form = await formOf(two)
    const unshared = async () => {
      await one.ask('hub.presence', undefined)
      const { stations } = await one.ask('hub.presence', undefined)
      return stations.find(({ name }) => name === 'Station 2')?.heartbeat?.unshared
    }
    await expect.poll(unshared).toBe(0)
    // The hub takes nothing of Station 2 from now on.
    await store.sql(`ALTER TABLE countertag.delivery_entry ADD CHECK (station_name <> 'Station 2') NOT VALID`)
    await store.sql(`ALTER TABLE countertag.case_import ADD CHECK (station_name <> 'Station 2') NOT VALID`)
    await two.ask('receiving.addCase', { identifier: single })
    await two.ask('receiving.import', form)
    await two.restart(async () => {
      await expect.poll(unshared).toBe(2)
    })
  })
})

describe('what a station hears of after it finished a delivery', () => {
  const record = (station: Station, deliveryId: string, version: number | null = null) =>
    station.ask('receiving.record', { deliveryId, version })
  const about = { receivedBy: 'Maya', shippedBy: null, driver: null, manifestNumber: 'M-1' }
  const versions = (station: Station, id: string) =>
    expect.poll(async () => (await record(station, id)).versions.map(({ check }) => check))

  it('is in a version that is added to its record, which else stays as it was', async () => {
    const { one, two, id } = await both()
    await expect.poll(async () => (await now(one))?.cases.every((found) => found.case !== null)).toBe(true)
    const [dropped, counted] = await caseIds(one)
    const { id: countId } = await one.ask('receiving.startCount', { caseId: counted ?? '' })
    await expect.poll(() => two.ask('receiving.storeCounts', undefined)).toHaveLength(1)
    await two.ask('receiving.joinCount', { countId })
    const { differences } = await two.ask('receiving.countDetail', { countId })
    const [tagId = '', ...others] = differences.map((one) => one.tagId)
    await two.ask('receiving.countTag', { countId, tagId })
    await expect.poll(async () => (await one.ask('receiving.openCount', undefined))?.counted).toBe(1)
    await apart(one, two)
    await addPackage(two, second)
    await two.ask('receiving.dropCase', { caseId: dropped ?? '' })
    for (const one of others.slice(0, 2)) await two.ask('receiving.countTag', { countId, tagId: one })
    await two.ask('receiving.uncountTag', { countId, tagId })
    await one.ask('receiving.finishDelivery', { deliveryId: id, about })
    const before = await record(one, id)
    expect(before.body).toMatchObject({ packageUids: [first], caseCount: 3, counts: [{ counted: 1 }] })
    await back(one, two)
    const isWhole = { packageUids: [first, second], counts: [{ counted: 2 }] }
    await expect.poll(async () => (await record(one, id)).body).toMatchObject(isWhole)
    const view = await record(one, id)
    const { body } = view
    expect(view.versions.every(({ check }) => check === 'intact')).toBe(true)
    // All of it, also if it came in pieces.
    const late = await Promise.all(
      view.versions.slice(1).map(async ({ version }) => (await record(one, id, version)).body?.late),
    )
    const listed = late.flatMap((each) => each?.listed ?? [])
    expect(listed).toMatchObject([{ station: 'Station 2', packageUids: [second] }])
    expect(late.flatMap((each) => each?.dropped.identifiers ?? [])).toHaveLength(1)
    expect(late.reduce((sum, each) => sum + (each?.scanned[0]?.count ?? 0), 0)).toBe(2)
    expect(late.reduce((sum, each) => sum + (each?.unscanned ?? 0), 0)).toBe(1)
    expect(body).toMatchObject({
      about,
      finishedAt: before.body?.finishedAt,
    })
    expect(body).not.toHaveProperty('finishedAtStation')
    // The cases that were listed late were read for it.
    expect(listed[0]?.identifiers.length).toBeGreaterThan(0)
    expect(body?.lines.map(({ identifier }) => identifier)).toEqual(
      expect.arrayContaining(listed[0]?.identifiers ?? []),
    )
    expect(body?.lines.every(({ productName }) => productName !== null)).toBe(true)
    expect(body?.caseCount).toBe(2 + (listed[0]?.identifiers.length ?? 0))
    expect((await record(one, id, 1)).body).toEqual(before.body)
    // The station that was apart has all of it in its first version.
    await versions(two, id).toEqual(['intact'])
    const other = (await record(two, id)).body
    expect(other).toMatchObject({
      finishedAtStation: 'Station 1',
      counts: [{ counted: 2 }],
      caseCount: body?.caseCount,
    })
    expect(other).not.toHaveProperty('late')
    await one.ask('receiving.correct', { deliveryId: id, by: 'Ana', text: 'Counted again.', photoId: null })
    const { corrections } = await record(one, id)
    expect(corrections).toMatchObject([{ check: 'intact' }])
  })

  it('is compared with the manifest, and added after a start if it was only noted', async () => {
    const { one, two, id } = await both()
    const rows = [first, second].map((uid, at) => ({
      ...{ line: at + 2, packageUid: PackageUid.parse(uid), productName: null, sku: null, posProductId: null },
      ...{ count: null, lines: 1 },
    }))
    await one.ask('receiving.loadManifest', { fileName: 'one.csv', start: 0, leftOut: 0, isLast: true, rows })
    await apart(one, two)
    await addPackage(two, second)
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    expect((await record(one, id)).body).toMatchObject({ manifest: { sums: { missing: 1 } } })
    await store.start()
    const packagesOfOne = async () => (await one.ask('receiving.deliveries', undefined))[0]?.packageUids
    await expect.poll(packagesOfOne).toEqual([first, second])
    await versions(one, id).toEqual(['intact', 'intact'])
    expect((await record(one, id)).body).toMatchObject({ manifest: { sums: { missing: 0 } } })
    const [before] = await notices(one)
    expect(before).toMatchObject({ what: 'record-added', deliveryId: id, station: null })
    await one.restart(() => {
      const db = new Sqlite(join(one.dataDir, 'practice', 'countertag.db'))
      db.exec(`INSERT INTO delivery_late SELECT max(seq), 'package ABC', 'Station 3', 1 FROM delivery`)
      db.close()
    })
    await versions(one, id).toEqual(['intact', 'intact', 'intact'])
    // One of the delivery, of which the one of the version before is over; a page that loads later reads it.
    const [added, ...others] = await notices(one)
    expect([added, others]).toMatchObject([{ what: 'record-added', deliveryId: id }, []])
    expect(added?.id).toBeGreaterThan(before?.id ?? 0)
    expect((await record(one, id)).body).toMatchObject({ late: { listed: [], dropped: { packageUids: ['ABC'] } } })
    await situation(two, 'online')
  })

  it('is added too if another station opened the delivery again while another one is received here', async () => {
    const { one, two, id } = await both()
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await expect.poll(() => now(two)).toBeNull()
    await addPackage(two, second)
    await one.ask('receiving.reopenDelivery', { deliveryId: id })
    await one.ask('receiving.addCase', { identifier: single })
    const casesAtTwo = async () =>
      (await two.ask('receiving.deliveries', undefined)).find((one) => one.id === id)?.caseCount
    await expect.poll(casesAtTwo).toBe(4)
    expect((await record(two, id)).body?.caseCount).toBe(3)
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await versions(two, id).toEqual(['intact', 'intact'])
    expect((await record(two, id)).body).toMatchObject({
      caseCount: 4,
      late: { listed: [{ station: 'Station 1', identifiers: [single] }] },
    })
    expect((await now(two))?.packages).toMatchObject([{ packageUid: second }])
    expect((await notices(two)).map(({ what }) => what)).toEqual(['record-added', 'finished'])
  })

  it('is in the version of the next finish, if the delivery is opened again', async () => {
    const { one, two, id } = await both()
    await apart(one, two)
    await addPackage(two, second)
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await store.start()
    const packagesOfOne = async () => (await one.ask('receiving.deliveries', undefined))[0]?.packageUids
    await expect.poll(packagesOfOne).toEqual([first, second])
    await one.ask('receiving.reopenDelivery', { deliveryId: id })
    await one.ask('receiving.finishDelivery', { deliveryId: id })
    await one.restart()
    const { body } = await record(one, id)
    expect(body).toMatchObject({ packageUids: [first, second] })
    expect(body).not.toHaveProperty('late')
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
  })
})
