import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DeliveryKey } from '../../../../src-main/hub/rows'
import type { Finisher } from '../../../../src-main/hub/rows'
import { alone } from '../../../../src-main/hub/alone'
import { createDeliveryNotices } from '../../../../src-main/receiving/delivery/delivery-notices'
import { Merging } from '../../../../src-main/receiving/delivery/delivery-merging'
import { DeliveryRows } from '../../../../src-main/receiving/delivery/delivery-rows'
import { ManifestRows } from '../../../../src-main/receiving/manifest/manifest-rows'
import { createPhotoRows } from '../../../../src-main/receiving/record/photo-rows'
import { createLateRows } from '../../../../src-main/receiving/record/record-late'
import { createRecordRows } from '../../../../src-main/receiving/record/record-rows'
import { DeliveryId, ManifestId, PackageUid, PhotoId } from '../../../../src-shared/ids'
import { eventsOf } from '../../../fakes/events'
import { packageUid } from '../../../fakes/ids'
import { receivingContext } from '../../../fakes/receiving-context'
import { useDesk } from '../outbox/desk'

const uid = (n: number) => PackageUid.parse(packageUid(n))
const newId = () => DeliveryId.parse(randomUUID())

describe('a delivery that becomes a part of another one', () => {
  const desk = useDesk()
  const begin = () => {
    const rows = new DeliveryRows(desk.db)
    const [photos, manifests, records] = [
      createPhotoRows(desk.db),
      new ManifestRows(desk.db),
      createRecordRows(desk.db),
    ]
    const told: string[] = []
    const late = createLateRows(desk.db)
    const events = eventsOf(desk.db)
    events.on('record.late', 'test', () => told.push('late'))
    events.on('delivery.finished', 'test', () => told.push('finished'))
    events.on('delivery.opened', 'test', () => told.push('another'))
    const context = receivingContext({ ...desk, events, hub: { ...alone, stationId: 'this' }, deliveries: rows })
    const merging = new Merging(
      { ...context, late, notices: createDeliveryNotices(context) },
      {
        heirAmong: () => () => undefined,
        listed: () => void told.push('listed'),
        opened: () => void told.push('opened'),
        ended: () => void told.push('ended'),
      },
      {
        finishedElsewhere: ({ seq }, at, station) =>
          void records.append(seq, records.lastVersion(seq) + 1, at, {
            form: 1,
            ...(station !== undefined && { station }),
          }),
      },
    )
    const start = (at = desk.clock.now()) => rows.start(newId(), at)
    const addPhoto = (delivery: number, correction: number | null = null) => {
      const id = PhotoId.parse(randomUUID())
      photos.insert({
        ...{ id, delivery, correction, sha256: 'f'.repeat(64), bytes: 10, width: 2, height: 2, addedAt: 5 },
        ...{ caption: '', packageUid: null, caseId: null },
      })
      return id
    }
    const load = (delivery: number, fileName: string) => {
      const id = ManifestId.parse(randomUUID())
      const line = { line: 2, packageUid: uid(1), productName: null, sku: null, posProductId: null, count: 1, lines: 1 }
      manifests.load({ id, delivery, fileName, at: desk.clock.now(), leftOut: 0, rows: [line] })
      return id
    }
    const about = { startedAt: 1, stationName: 'Station 1' }
    return { rows, photos, manifests, records, late, merging, told, start, addPhoto, load, about }
  }
  /** One of another station that was received along here and is finished, and the own one under way. */
  const two = () => {
    const parts = begin()
    const there = parts.start()
    parts.rows.addPackage(there.seq, uid(1), 'Station 1')
    parts.rows.finish(there.seq, desk.clock.now())
    return { ...parts, there, own: parts.start() }
  }

  it('takes its photos along, but not those of a correction, with which it stays', () => {
    const { rows, photos, records, merging, told, addPhoto, about, there, own } = two()
    rows.addPackage(own.seq, uid(2))
    const kept = addPhoto(own.seq)
    records.append(own.seq, 1, 3, { form: 1 })
    rows.finish(own.seq, 3)
    const correction = records.append(own.seq, null, 4, { form: 1 })
    const corrected = addPhoto(own.seq, correction)
    rows.reopen(own.seq)

    expect(merging.join(there.id, about)).toEqual({ ok: true, value: null })
    expect(rows.open()?.id).toBe(there.id)
    expect(rows.packages(there.seq)).toEqual([uid(1), uid(2)])
    expect(photos.ofDelivery(there.seq).map(({ id }) => id)).toEqual([kept])
    expect(photos.byId(corrected)?.delivery).toBe(own.seq)
    expect(rows.bySeq(own.seq)?.finishedAt).not.toBeNull()
    expect(rows.record(own.seq)).toEqual({ version: 1, corrections: 1 })
    expect(told).toEqual(['opened', 'another'])
  })

  it('leaves to the other one what was dropped from it and not told', () => {
    const { merging, about, there, own } = two()
    const note = desk.db.prepare(`INSERT INTO dirty_key VALUES ('deliveries', ?, ?, ?, ?)`)
    note.run(own.seq, 'package A', 2, 1)
    note.run(own.seq, 'package B', 1, 0)
    note.run(there.seq, 'package B', 5, 0)
    expect(merging.join(there.id, about).ok).toBe(true)
    expect(desk.db.prepare('SELECT list, key, change, is_others FROM dirty_key').raw().all()).toEqual([
      [there.seq, 'package A', 2, 1],
      [there.seq, 'package B', 5, 0],
    ])
  })

  it('is gone if nothing was kept of it that can’t change', () => {
    const { rows, photos, merging, addPhoto, about, there, own } = two()
    const [photo, removed] = [addPhoto(own.seq), addPhoto(own.seq)]
    photos.remove(removed, 6)
    expect(merging.join(there.id, about).ok).toBe(true)
    expect(rows.bySeq(own.seq)).toBeUndefined()
    expect(photos.ofDelivery(there.seq).map(({ id }) => id)).toEqual([photo, removed])
  })

  it('stays with its photos if it was finished, while what it listed is that of the other one', () => {
    const { rows, photos, merging, addPhoto, start } = begin()
    const over = start()
    rows.addPackage(over.seq, uid(2))
    const photo = addPhoto(over.seq)
    rows.finish(over.seq, 3)
    const there = start()
    merging.follow(over.seq, there.id)
    expect(rows.open()?.id).toBe(there.id)
    expect(rows.packages(there.seq)).toEqual([uid(2)])
    expect(rows.bySeq(over.seq)).toMatchObject({ id: over.id, finishedAt: 3 })
    expect(photos.ofDelivery(over.seq).map(({ id }) => id)).toEqual([photo])
    expect(photos.ofDelivery(there.seq)).toEqual([])
  })

  it('becomes the other one, with all of its photos, if that is not known here', () => {
    const { rows, photos, merging, addPhoto, start } = begin()
    const over = start()
    addPhoto(over.seq)
    rows.finish(over.seq, 3)
    const id = newId()
    merging.follow(over.seq, id)
    expect(rows.byId(id)?.seq).toBe(over.seq)
    expect(photos.ofDelivery(over.seq)).toHaveLength(1)
  })

  it('brings its manifest where there is none, compared anew', () => {
    const { manifests, merging, load, about, there, own } = two()
    const id = load(own.seq, 'own.csv')
    desk.db.prepare(`UPDATE manifest SET result = '{"of":"its own alone"}'`).run()
    expect(merging.join(there.id, about).ok).toBe(true)
    expect(manifests.inForce(there.seq)).toMatchObject({ id, deliveryId: there.id, result: null })
  })

  it('leaves the manifest of the other one in force; its own can be put in force again', () => {
    const { manifests, merging, load, about, there, own } = two()
    const [older, inForce] = [load(there.seq, 'older.csv'), load(there.seq, 'there.csv')]
    desk.clock.advance(1_000)
    const [replaced, ofOwn] = [load(own.seq, 'replaced.csv'), load(own.seq, 'own.csv')]
    desk.clock.advance(1_000)
    expect(merging.join(there.id, about).ok).toBe(true)
    expect(manifests.inForce(there.seq)?.id).toBe(inForce)
    expect(manifests.goneLast(there.seq)).toMatchObject({ id: ofOwn, gone: 'replaced' })
    expect(manifests.lines(manifests.byId(ofOwn)?.seq ?? 0)).toHaveLength(1)
    // As everywhere, only the last one that went is kept.
    expect([older, replaced].map((id) => manifests.byId(id))).toEqual([undefined, undefined])
  })

  it('is finished with a record when another station finishes it, also a second time', () => {
    const { rows, records, merging, told, start } = begin()
    const { seq, id } = start()
    desk.db.prepare(`INSERT INTO shared_list (topic, list) VALUES ('deliveries', ?)`).run(seq)
    const other = { stationId: 'other', stationName: 'Station 2' }
    const merge = (isFinished: boolean, finishedBy: Finisher | null = other) => {
      merging.merge(seq, { entries: [], isFinished, finishedBy }, () => false)()
    }
    merge(false)
    expect(records.lastVersion(seq)).toBe(0)
    merge(true)
    expect(rows.byId(id)?.finishedAt).not.toBeNull()
    expect(records.lastVersion(seq)).toBe(1)
    merge(true)
    expect(records.lastVersion(seq)).toBe(1)
    merge(false)
    expect(rows.open()?.id).toBe(id)
    merge(true)
    expect(records.lastVersion(seq)).toBe(2)
    expect(told).toEqual(['listed', 'ended', 'finished', 'opened', 'another', 'ended', 'finished'])
    expect(rows.finishedBy(seq)).toEqual(other)
    expect(merging.head(seq)).toEqual({ id, isFinished: true, finishedBy: other })
    // It was finished at this station, which lost that; and at one whose name isn't known.
    merge(false)
    merge(true, { stationId: 'this', stationName: 'Station 1' })
    merge(false)
    merge(true, null)
    expect(records.ofDelivery(seq).map(({ body }) => body)).toEqual([
      '{"form":1,"station":"Station 2"}',
      '{"form":1,"station":"Station 2"}',
      '{"form":1}',
      '{"form":1,"station":null}',
    ])
  })

  it('is late for its record if it arrives after the delivery was finished, in the same commit', () => {
    const { rows, late, merging, told, start } = begin()
    const { seq } = start()
    const entry = (n: number, isGone = false) => ({
      ...{ key: DeliveryKey.parse(`package ${uid(n)}`), value: null, at: 1, isGone, station: 'Station 2' },
    })
    const merge = (isFinished: boolean, ...entries: ReturnType<typeof entry>[]) => {
      merging.merge(seq, { entries, isFinished, finishedBy: null }, (key) => key.endsWith(uid(9)))()
    }
    merge(false, entry(1))
    // What comes with the end is in the record.
    merge(true, entry(2))
    // Nothing new, what is this station's own, and what was never there.
    merge(true, entry(2), entry(9), entry(5, true))
    expect(late.deliveries()).toEqual([])
    merge(true, entry(3), entry(1, true))
    expect(late.ofDelivery(seq)).toMatchObject({
      listed: [{ station: 'Station 2', packageUids: [uid(3)] }],
      dropped: { packageUids: [uid(1)] },
    })
    expect(rows.packages(seq)).toEqual([uid(2), uid(3)])
    expect(told).toEqual(['listed', 'ended', 'finished', 'late'])
  })

  it('is late too if another station opened it again while another one is received here', () => {
    const { rows, late, merging, told, start } = begin()
    const { seq } = start()
    rows.finish(seq, desk.clock.now())
    const own = start()
    const key = DeliveryKey.parse(`package ${uid(3)}`)
    const listed = { key, value: null, at: 1, isGone: false, station: 'Station 2' }
    const merge = (isFinished: boolean, entries: (typeof listed)[]) => {
      merging.merge(seq, { entries, isFinished, finishedBy: null }, () => false)()
    }
    merge(false, [listed])
    expect(rows.open()?.id).toBe(own.id)
    expect(late.ofDelivery(seq).listed).toMatchObject([{ station: 'Station 2', packageUids: [uid(3)] }])
    // More may come until it is finished there.
    expect(told).toEqual([])
    merge(true, [])
    expect(told).toEqual(['late'])
    late.forget(seq)
    merge(true, [])
    expect(told).toEqual(['late'])
  })
})
