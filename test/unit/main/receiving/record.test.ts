import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DeliveryRows } from '../../../../src-main/receiving/delivery/delivery-rows'
import { createPhotoRows } from '../../../../src-main/receiving/record/photo-rows'
import { canonical, checkOf, hashOf } from '../../../../src-main/receiving/record/record-chain'
import { createRecordRows } from '../../../../src-main/receiving/record/record-rows'
import { CaseId, DeliveryId, PackageUid, PhotoId } from '../../../../src-shared/ids'
import { caseOf, packageUid } from '../../../fakes/ids'
import { useDesk } from '../outbox/desk'

describe('the marks of records', () => {
  const chain = (bodies: string[]) => {
    let before = ''
    return bodies.map((body) => {
      const entry = { body, before, mark: hashOf({ body, before }) }
      before = entry.mark
      return entry
    })
  }

  it('are the same whatever the order of the fields', () => {
    expect(canonical({ b: [{ d: 1, c: null }], a: 'ü' })).toBe('{"a":"ü","b":[{"c":null,"d":1}]}')
    expect(canonical({ a: 1, b: undefined })).toBe('{"a":1}')
  })

  it('tell a changed text, a changed mark, a missing entry and one that was put between', () => {
    const [first, second, third] = chain(['one', 'two', 'three'])
    if (!first || !second || !third) throw new Error('three entries')
    expect(checkOf(first, undefined, second)).toBe('intact')
    expect(checkOf(second, first, third)).toBe('intact')
    expect(checkOf(third, second, undefined)).toBe('intact')
    expect(checkOf({ ...second, body: 'two!' }, first, third)).toBe('altered')
    // With a mark that was computed again, the next entry tells.
    const forged = { ...second, body: 'two!', mark: hashOf({ body: 'two!', before: second.before }) }
    expect(checkOf(forged, first, third)).toBe('unlinked')
    expect(checkOf(third, first, undefined)).toBe('unlinked')
    expect(checkOf(second, undefined, third)).toBe('unlinked')
  })

  it('don’t mix up where one text ends and the next begins', () => {
    expect(hashOf({ before: 'a', body: 'bc' })).not.toBe(hashOf({ before: 'ab', body: 'c' }))
  })
})

describe('records, in the store', () => {
  const desk = useDesk()
  const begin = () => {
    const rows = new DeliveryRows(desk.db)
    return { rows, ...rows.start(DeliveryId.parse(randomUUID()), desk.clock.now()) }
  }

  it('are never changed and never deleted: the database refuses it', () => {
    const records = createRecordRows(desk.db)
    const { seq, rows } = begin()
    records.append(seq, 1, 1, { form: 1 })
    records.append(seq, null, 2, { form: 1 })
    rows.finish(seq, 3)
    const change = (sql: string) => () => desk.db.prepare(sql).run()
    expect(change(`UPDATE delivery_entry SET body = '{}' WHERE version = 1`)).toThrow('never changed')
    expect(change(`UPDATE delivery_entry SET mark = 'x' WHERE version IS NULL`)).toThrow('never changed')
    expect(change('DELETE FROM delivery_entry WHERE version = 1')).toThrow('never deleted')
    expect(change('DELETE FROM delivery_entry')).toThrow('never deleted')
    // A version is written once.
    expect(() => records.append(seq, 1, 4, {})).toThrow(/UNIQUE/)
    expect(records.ofDelivery(seq).map(({ version, body }) => [version, body])).toEqual([
      [1, '{"form":1}'],
      [null, '{"form":1}'],
    ])
    expect(rows.record(seq)).toEqual({ version: 1, corrections: 1 })
  })

  it('are one chain over all deliveries', () => {
    const records = createRecordRows(desk.db)
    const first = begin()
    records.append(first.seq, 1, 1, { n: 1 })
    first.rows.finish(first.seq, 2)
    const second = begin()
    records.append(second.seq, 1, 3, { n: 2 })
    records.append(first.seq, null, 4, { n: 3 })
    for (const { seq } of [first, second])
      for (const row of records.ofDelivery(seq)) {
        const { previous, next } = records.beside(row.entry)
        expect(checkOf(row, previous, next)).toBe('intact')
      }
    expect(first.rows.record(first.seq)).toEqual({ version: 1, corrections: 1 })
  })
})

describe('photos, in the store', () => {
  const desk = useDesk()
  const photo = (delivery: number, correction: number | null = null) => ({
    id: PhotoId.parse(randomUUID()),
    ...{ delivery, correction, sha256: 'f'.repeat(64), bytes: 10, width: 2, height: 2, addedAt: 5 },
    ...{ caption: 'Torn', packageUid: PackageUid.parse(packageUid(1)), caseId: CaseId.parse(caseOf(1)) },
  })

  it('change while their delivery is open only, and those of corrections never', () => {
    const deliveries = new DeliveryRows(desk.db)
    const photos = createPhotoRows(desk.db)
    const { seq } = deliveries.start(DeliveryId.parse(randomUUID()), desk.clock.now())
    const one = photo(seq)
    photos.insert(one)
    photos.describe(one.id, { caption: 'Wet', packageUid: null, caseId: null })
    photos.remove(one.id, 6)
    expect(photos.removedFiles()).toEqual([])
    expect(photos.allBytes()).toBe(0)
    photos.remove(one.id, null)
    expect(photos.byId(one.id)).toMatchObject({ caption: 'Wet', removedAt: null })

    deliveries.finish(seq, 7)
    expect(() => {
      photos.remove(one.id, 8)
    }).toThrow('never changed')
    expect(() => {
      photos.describe(one.id, { caption: 'x', packageUid: null, caseId: null })
    }).toThrow('never changed')
    expect(() => desk.db.prepare('DELETE FROM delivery_photo').run()).toThrow('never deleted')

    const corrected = photo(seq, 1)
    photos.insert(corrected)
    deliveries.reopen(seq)
    photos.remove(one.id, 9)
    expect(() => {
      photos.remove(corrected.id, 9)
    }).toThrow('never changed')
    expect(photos.ofDelivery(seq).map(({ id }) => id)).toEqual([one.id])
    deliveries.finish(seq, 10)
    // The correction's photo is the same file: it stays.
    expect(photos.removedFiles()).toEqual([])
  })

  it('names the files that no photo needs any more, once their delivery is finished', () => {
    const deliveries = new DeliveryRows(desk.db)
    const photos = createPhotoRows(desk.db)
    const { seq } = deliveries.start(DeliveryId.parse(randomUUID()), desk.clock.now())
    const [one, same, other] = [photo(seq), photo(seq), { ...photo(seq), sha256: 'a'.repeat(64) }]
    for (const each of [one, same, other]) photos.insert(each)
    photos.remove(one.id, 6)
    photos.remove(other.id, 6)
    deliveries.finish(seq, 7)
    expect(photos.removedFiles()).toEqual(['a'.repeat(64)])
  })
})
