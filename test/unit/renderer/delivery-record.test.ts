import { describe, expect, it } from 'vitest'
import { DeliveryPhotos } from '../../../src-renderer/receiving/photos/photos.svelte'
import { FinishForm } from '../../../src-renderer/receiving/record/finish-form.svelte'
import {
  differenceGroups,
  lateTexts,
  photoCheckText,
  shortMark,
} from '../../../src-renderer/receiving/record/record-text'
import { DeliveryRecord } from '../../../src-renderer/receiving/record/record.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import { DeliveryId, PhotoId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import type { PhotoView, RecordBody, RecordedDifference, RecordView } from '../../../src-shared/ipc/contract/record'
import { err, ok } from '../../../src-shared/result'
import { at, operationId, tagId } from './examples'
import { createFakeWire } from './fake-wire'

const deliveryId = DeliveryId.parse(operationId(50))
const photoId = PhotoId.parse(operationId(60))
const nobody = { receivedBy: null, shippedBy: null, driver: null, manifestNumber: null }
const body = (version: number): RecordBody => ({
  ...{ form: 1, deliveryId, version, storeName: 'Green Door', startedAt: at, finishedAt: at, about: nobody },
  ...{ packageUids: [], caseCount: 0, imported: 0, pending: 0, refused: 0 },
  ...{ lines: [], counts: [], differences: [], accepted: [], permitted: [], photos: [] },
})
const viewOf = (shown: number | null, versions: number[]): RecordView => ({
  versions: versions.map((version) => ({ version, at, mark: String(version).repeat(64), check: 'intact' })),
  body: shown === null ? null : body(shown),
  corrections: [],
  photos: {},
  canCorrect: true,
})

describe('the record of a delivery, shown', () => {
  const create = () => {
    const fake = createFakeWire()
    return { fake, record: new DeliveryRecord(createClient(fake.wire), deliveryId) }
  }

  it('is the last version; an earlier one is asked for', async () => {
    const { fake, record } = create()
    const loading = record.load()
    await fake.next('receiving.record').answer(viewOf(2, [1, 2]))
    await loading
    expect([record.shown, record.body?.version, record.report]).toEqual([2, 2, null])
    const showing = record.show(1)
    // The other version is not shown as this one meanwhile.
    expect(record.body).toBeNull()
    const asked = fake.next('receiving.record')
    expect(asked.input).toEqual({ deliveryId, version: 1 })
    await asked.answer(viewOf(1, [1, 2]))
    await showing
    expect([record.shown, record.body?.version, record.version?.version]).toEqual([1, 1, 1])
  })

  it('is the report of what is remembered where there is none', async () => {
    const { fake, record } = create()
    const loading = record.load()
    await fake.next('receiving.record').answer(viewOf(null, []))
    const asked = fake.next('receiving.report')
    expect(record.shown).toBe('now')
    await asked.refuse({ code: 'receiving/no-delivery' })
    await loading
    expect([record.body, record.error]).toEqual([null, { code: 'receiving/no-delivery' }])
  })

  it('is asked for again once a correction was added, and tells why one was not', async () => {
    const { fake, record } = create()
    const loading = record.load()
    await fake.next('receiving.record').answer(viewOf(1, [1]))
    await loading
    const refusing = record.correct('Maya', 'Wrong driver', null)
    await fake.next('receiving.correct').refuse({ code: 'store/not-saved' })
    expect(await refusing).toEqual({ code: 'store/not-saved' })
    const correcting = record.correct('Maya', 'Wrong driver', null)
    const asked = fake.next('receiving.correct')
    expect(asked.input).toEqual({ deliveryId, by: 'Maya', text: 'Wrong driver', photoId: null })
    await asked.answer(null)
    await fake.next('receiving.record').answer(viewOf(1, [1]))
    expect(await correcting).toBeNull()
  })
})

describe('what arrived after a delivery was finished', () => {
  it('is said by station, packages and cases first', () => {
    const late = {
      listed: [
        { station: 'Station 2', packageUids: ['1A40'], identifiers: ['C-1'] },
        { station: null, packageUids: [], identifiers: ['C-2'] },
      ],
      dropped: { packageUids: [], identifiers: ['C-3'] },
      scanned: [{ station: 'Station 3', count: 2 }],
      unscanned: 1,
    }
    expect(lateTexts(late).map(say)).toEqual([
      'Received at Station 2: Package 1A40 and Case C-1',
      'Received at another station: Case C-2',
      'Removed from the delivery: Case C-3',
      '2 items scanned at Station 3',
      '1 scan undone',
    ])
    expect(lateTexts({ listed: [], dropped: { packageUids: [], identifiers: [] }, scanned: [], unscanned: 0 })).toEqual(
      [],
    )
  })
})

describe('what is entered when a delivery is finished', () => {
  it('begins with what main offers, and is sent without what was left empty', async () => {
    const fake = createFakeWire()
    const finished: unknown[] = []
    const steps = {
      finish(about: unknown) {
        finished.push(about)
        return Promise.resolve(null)
      },
    }
    const receiving = { delivery: { head: { id: deliveryId, startedAt: at, stations: [] } }, steps }
    const form = new FinishForm(createClient(fake.wire), receiving)
    const offering = form.offer()
    form.values.driver = 'typed meanwhile'
    form.typed('driver')
    await fake.next('receiving.finishing').answer({
      about: { ...nobody, receivedBy: 'Maya', driver: 'of the last time' },
      names: ['Maya'],
      behind: ['Back'],
      differences: 11,
    })
    await offering
    // What a person typed stays.
    expect([form.values.receivedBy, form.values.driver]).toEqual(['', 'typed meanwhile'])
    expect(form.names).toEqual(['Maya'])
    expect([form.behind, form.differences]).toEqual([['Back'], 11])
    form.values.receivedBy = '  Ana '
    expect(await form.save()).toBe(true)
    expect(finished).toEqual([{ ...nobody, receivedBy: 'Ana', driver: 'typed meanwhile' }])
  })
})

describe('photos of a delivery', () => {
  const view: PhotoView = {
    ...{ id: photoId, caption: '', packageUid: null, caseId: null, identifier: null },
    ...{ addedAt: at, bytes: 3, width: 2, height: 2, removedAt: null },
  }
  const file = (name: string) => new File([new Uint8Array([1, 2, 3])], name)

  it('are shrunk, sent in parts and added one after the other; a bad one names its file', async () => {
    const fake = createFakeWire()
    const large = new Blob([new Uint8Array(200_000)])
    const shrink = (one: Blob) =>
      Promise.resolve(
        one instanceof File && one.name === 'scan.pdf'
          ? err({ code: 'receiving/photo-unusable', reason: 'type' } as const)
          : ok(large),
      )
    const photos = new DeliveryPhotos(createClient(fake.wire), () => deliveryId, shrink)
    const adding = photos.add([file('scan.pdf'), file('box.jpg')])
    await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.sendPhoto'])
    expect(photos.progress).toEqual({ done: 1, total: 2 })
    const first = fake.next('receiving.sendPhoto')
    expect(first.input).toMatchObject({ start: 0 })
    await first.answer(null)
    await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.sendPhoto'])
    const second = fake.next('receiving.sendPhoto')
    expect(second.input).toMatchObject({ start: 180_000 })
    await second.answer(null)
    await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.addPhoto'])
    await fake.next('receiving.addPhoto').refuse({ code: 'receiving/record-full', of: 'photos', most: 24 })
    await adding
    expect(photos.problems.map(({ name, error }) => [name, error.code])).toEqual([
      ['scan.pdf', 'receiving/photo-unusable'],
      ['box.jpg', 'receiving/record-full'],
    ])
    expect(photos.progress).toBeNull()
  })

  it('that come while others are being added are added after them', async () => {
    const fake = createFakeWire()
    const shrink = () => Promise.resolve(ok(new Blob([new Uint8Array(3)])))
    const photos = new DeliveryPhotos(createClient(fake.wire), () => deliveryId, shrink)
    const adding = photos.add([file('box.jpg')])
    await photos.add([file('camera.jpg')])
    expect(photos.progress).toEqual({ done: 0, total: 2 })
    for (const done of [0, 1]) {
      await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.sendPhoto'])
      expect(photos.progress).toEqual({ done, total: 2 })
      await fake.next('receiving.sendPhoto').answer(null)
      await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.addPhoto'])
      await fake.next('receiving.addPhoto').answer(null)
    }
    await adding
    expect([photos.progress, photos.problems]).toEqual([null, []])
  })

  it('are added to the delivery that is under way then: it may have joined another one, or be over', async () => {
    const fake = createFakeWire()
    const joined = DeliveryId.parse('9af49740-96f5-40ee-9e25-02420ae59635')
    let now: DeliveryId | undefined = deliveryId
    const shrink = () => Promise.resolve(ok(new Blob([new Uint8Array(3)])))
    const photos = new DeliveryPhotos(createClient(fake.wire), () => now, shrink)
    const adding = photos.add([file('box.jpg'), file('lid.jpg')])
    await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.sendPhoto'])
    now = joined
    await fake.next('receiving.sendPhoto').answer(null)
    await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.addPhoto'])
    const added = fake.next('receiving.addPhoto')
    expect(added.input).toMatchObject({ deliveryId: joined })
    await added.answer(null)
    await expect.poll(() => fake.asked.map(({ call }) => call)).toEqual(['receiving.sendPhoto'])
    now = undefined
    await fake.next('receiving.sendPhoto').answer(null)
    await adding
    expect(photos.problems).toEqual([{ name: 'lid.jpg', error: { code: 'receiving/no-delivery' } }])
  })

  it('are shown as main tells them', async () => {
    const fake = createFakeWire()
    const photos = new DeliveryPhotos(createClient(fake.wire), () => deliveryId)
    const stop = photos.follow()
    await fake.next('receiving.photos').answer([])
    await fake.emit('receiving.photos', [view])
    expect(photos.photos).toEqual([view])
    const describing = photos.describe(view, { caption: 'Torn', packageUid: null, caseId: null })
    expect(fake.next('receiving.describePhoto').input).toMatchObject({ photoId, caption: 'Torn', caseId: null })
    stop()
    await fake.emit('receiving.photos', [])
    expect(photos.photos).toEqual([view])
    void describing
  })
})

describe('a record, in words', () => {
  it('tells differences with one decision together, open ones first', () => {
    const one = (n: number, fields: Partial<RecordedDifference>): RecordedDifference => ({
      ...{ tagId: tagId(n), kind: 'missing', identifier: 'BOX-1', resolution: 'ignored', because: 'Comes tomorrow' },
      ...fields,
    })
    const groups = differenceGroups([
      one(1, {}),
      one(2, {}),
      one(3, { kind: 'stranger', identifier: null, resolution: 'added', because: null }),
      one(4, { resolution: 'open', because: null }),
    ])
    expect(groups.map(({ text, tagIds }) => [say(text), tagIds])).toEqual([
      ['1 item missing from case BOX-1: not settled', []],
      ['1 unexpected item: reported as added to a case', [tagId(3)]],
      ['2 items missing from case BOX-1: ignored (Comes tomorrow)', []],
    ])
  })

  it('names what is wrong with a photo, and a mark that can be compared', () => {
    expect([photoCheckText('intact'), photoCheckText('missing')?.key]).toEqual([null, 'record.photo.missing'])
    expect(shortMark('0123456789abcdef99')).toBe('0123 4567 89ab cdef')
  })
})
