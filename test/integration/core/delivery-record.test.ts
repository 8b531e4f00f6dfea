import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PackageUid } from '../../../src-shared/ids'
import { type PhotoAbout, photoLimits, photoPart } from '../../../src-shared/ipc/contract/record'
import { jpegOf } from '../../fakes/jpeg'
import { frame, jpegFile, pngOf, scan } from '../../fakes/picture-files'
import { deliverySteps } from './delivery-steps'
import { type Station, startStation } from './station'

const day = 86_400_000
const about = { receivedBy: 'Maya Ortiz', shippedBy: 'Green Valley Farms', driver: 'D. Cole', manifestNumber: 'M-77' }
const bare: PhotoAbout = { caption: '', packageUid: null, caseId: null }

describe('the record of a delivery', () => {
  let station: Station
  /** How far the station's clock is ahead of this computer's, in ms. */
  let ahead: number
  const { deliveryNow, packages, allRead, importAll } = deliverySteps(() => station)
  beforeEach(async () => {
    ahead = 0
    station = await startStation({ clock: { now: () => Date.now() + ahead } })
  })
  afterEach(async () => {
    await station.close()
  })

  const receive = async (at = 0) => {
    const packageUid = (await packages())[at] ?? ''
    const { caseIds } = await station.ask('receiving.addPackage', { packageUid })
    await allRead(caseIds.length)
    const { id } = await deliveryNow()
    return { id, packageUid, caseIds }
  }
  const record = (deliveryId: string, version: number | null = null) =>
    station.ask('receiving.record', { deliveryId, version })
  const send = async (content: Buffer, photoId: string = randomUUID()) => {
    const base64 = content.toString('base64')
    for (let start = 0; start < base64.length; start += photoPart)
      await station.ask('receiving.sendPhoto', { photoId, start, base64: base64.slice(start, start + photoPart) })
    return photoId
  }
  const addPhoto = async (deliveryId: string, content: Buffer, words: Partial<PhotoAbout> = {}) => {
    const photoId = await send(content)
    await station.ask('receiving.addPhoto', { deliveryId, photoId, ...bare, ...words })
    return photoId
  }
  const files = () => {
    const folder = join(station.dataDir, 'practice', 'photos')
    return existsSync(folder) ? readdirSync(folder) : []
  }
  /** Changes the database while the station is closed, as a person with a tool for databases would. */
  const tamper = (sql: string) =>
    station.restart(() => {
      const db = new Sqlite(join(station.dataDir, 'practice', 'countertag.db'))
      const guards = db.prepare(`SELECT sql FROM sqlite_schema WHERE name LIKE 'delivery_entry_%' AND type = 'trigger'`)
      const again = guards.pluck().all().map(String)
      db.exec(`DROP TRIGGER delivery_entry_unchanged; DROP TRIGGER delivery_entry_kept; ${sql}; ${again.join(';')}`)
      db.close()
    })

  it('offers the person who is signed in as the one who received it, and names them, as each correction does', async () => {
    const { id } = await receive()
    const person = { name: 'Ana Núñez', shortName: 'AN', role: 'manager' } as const
    const ana = await station.ask('people.save', { id: null, person })
    await station.ask('people.setPin', { id: ana.id, pin: '2468' })
    await station.ask('people.signIn', { shown: { shortName: 'AN', pin: '2468' } })
    const offered = await station.ask('receiving.finishing', { deliveryId: id })
    expect(offered.about.receivedBy).toBe('Ana Núñez')
    await station.ask('receiving.finishDelivery', { deliveryId: id, about })
    await station.ask('receiving.correct', {
      deliveryId: id,
      by: 'Maya Ortiz',
      text: 'One box was wet.',
      photoId: null,
    })
    await station.ask('people.signOut', undefined)
    await station.ask('receiving.correct', { deliveryId: id, by: 'Sam', text: 'Two were.', photoId: null })
    const { body, corrections, versions } = await record(id)
    expect(body).toMatchObject({ about: { receivedBy: 'Maya Ortiz' }, signedIn: 'Ana Núñez' })
    expect(corrections.map((one) => [one.body?.by, one.body?.signedIn])).toEqual([
      ['Maya Ortiz', 'Ana Núñez'],
      ['Sam', undefined],
    ])
    expect([...versions, ...corrections].map(({ check }) => check)).toEqual(['intact', 'intact', 'intact'])
    const { lines } = await station.ask('journal.page', { filter: {} })
    const ofDelivery = lines.filter(({ subject }) => subject === id)
    expect(ofDelivery.map(({ what, name }) => [what, name])).toEqual([
      ['correction', null],
      ['correction', 'Ana Núñez'],
      ['delivery-finished', 'Ana Núñez'],
    ])
  })

  it('says who, when, what came and with which papers, in the commit that finishes the delivery', async () => {
    const { id, packageUid, caseIds } = await receive()
    expect(await station.ask('receiving.finishing', { deliveryId: id })).toMatchObject({ about: { receivedBy: null } })
    await importAll()
    await station.drained()
    await station.ask('receiving.finishDelivery', { deliveryId: id, about })
    const view = await record(id)
    expect(view.versions).toMatchObject([{ version: 1, check: 'intact' }])
    expect(view.versions[0]?.mark).toMatch(/^[0-9a-f]{64}$/)
    expect(view.body).toMatchObject({
      deliveryId: id,
      version: 1,
      storeName: 'Green Door, Newark',
      about,
      packageUids: [packageUid],
      caseCount: caseIds.length,
      imported: caseIds.length,
      photos: [],
    })
    expect(view.body?.lines.every(({ importState }) => importState.kind === 'imported-here')).toBe(true)
    const listed = await station.ask('receiving.deliveries', undefined)
    expect(listed).toMatchObject([{ id, record: { version: 1, corrections: 0 } }])
    // The name is offered next time.
    const next = await receive(1)
    const idsOf = async (text: string) => (await station.ask('receiving.deliveries', { text })).map((found) => found.id)
    expect(await idsOf(packageUid.slice(-6))).toEqual([id])
    expect(await idsOf(next.caseIds[0] ?? '')).toEqual([next.id])
    expect(await idsOf(view.body?.lines[0]?.identifier ?? '')).toEqual([id])
    expect(await idsOf(packageUid.slice(0, 5))).toEqual([next.id, id])
    expect(await idsOf('100% nothing like_it')).toEqual([])
    const offered = await station.ask('receiving.finishing', { deliveryId: next.id })
    expect(offered).toMatchObject({ about: { receivedBy: 'Maya Ortiz', driver: null }, names: ['Maya Ortiz'] })
  })

  it('names the certificates that were accepted, with the reason that was entered', async () => {
    const all = await packages()
    for (const packageUid of all) await station.ask('receiving.addPackage', { packageUid })
    await allRead(all.length)
    await importAll()
    await station.drained()
    const { id } = await deliveryNow()
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    const { body } = await record(id)
    const bad = body?.accepted ?? []
    expect(bad.length).toBeGreaterThan(0)
    for (const one of bad) {
      expect(['failed', 'expired']).toContain(one.coa.word)
      expect([one.identifier, one.reason]).toEqual([one.identifier, 'Asked for by a test'])
    }
    expect(body?.about).toEqual({ receivedBy: null, shippedBy: null, driver: null, manifestNumber: null })
  })

  it('keeps what a count missed and did not expect, and what was decided', async () => {
    const { id } = await receive()
    const [first] = (await deliveryNow()).cases
    const { id: countId } = await station.ask('receiving.startCount', { caseId: first?.caseId ?? '' })
    const { differences } = await station.ask('receiving.countDetail', { countId })
    const tagIds = differences.map(({ tagId }) => tagId)
    const [counted = '', lost = ''] = tagIds
    await station.ask('receiving.countTag', { countId, tagId: counted })
    await station.ask('receiving.finishCount', { countId })
    await station.ask('receiving.resolve', {
      countId,
      changes: [{ caseId: first?.caseId ?? '', tagIds: [lost] }],
      how: 'ignore',
      because: 'Driver brings it tomorrow',
    })
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    const { body } = await record(id)
    expect(body?.counts).toMatchObject([{ total: tagIds.length, counted: 1, strangers: 0 }])
    expect(body?.differences).toHaveLength(tagIds.length - 1)
    expect(body?.differences.find(({ tagId }) => tagId === lost)).toMatchObject({
      kind: 'missing',
      resolution: 'ignored',
      because: 'Driver brings it tomorrow',
    })
  })

  it('gets another version when it is reopened and finished again, and none after its day: then it is corrected', async () => {
    const { id } = await receive()
    await station.ask('receiving.finishDelivery', { deliveryId: id, about })
    const before = await record(id)
    await station.ask('receiving.reopenDelivery', { deliveryId: id })
    expect(await station.refused('receiving.correct', { deliveryId: id, by: 'M', text: 'x', photoId: null })).toEqual({
      code: 'receiving/no-record',
    })
    expect((await record(id)).canCorrect).toBe(false)
    await importAll()
    await station.drained()
    // What was entered the last time is offered again.
    expect(await station.ask('receiving.finishing', { deliveryId: id })).toMatchObject({ about })
    await station.ask('receiving.finishDelivery', { deliveryId: id, about: { ...about, driver: 'Another' } })

    const after = await record(id)
    expect(after.versions.map(({ version, check }) => [version, check])).toEqual([
      [1, 'intact'],
      [2, 'intact'],
    ])
    expect(after.body).toMatchObject({ version: 2, about: { driver: 'Another' } })
    expect((await record(id, 1)).body).toEqual(before.body)
    expect((await record(id, 1)).body?.imported).toBe(0)

    ahead = day
    expect(await station.refused('receiving.reopenDelivery', { deliveryId: id })).toEqual({
      code: 'receiving/delivery-over',
    })
    const photoId = await send(jpegOf({ seed: 5 }))
    const correction = { by: 'Ana Reyes', text: 'The driver was D. Cole after all.' }
    await station.ask('receiving.correct', { deliveryId: id, ...correction, photoId })
    await station.ask('receiving.correct', { deliveryId: id, by: 'Ana Reyes', text: 'Two', photoId: null })
    const corrected = await record(id)
    expect(corrected.body).toEqual(after.body)
    expect(corrected.corrections).toMatchObject([
      { check: 'intact', body: { ...correction, photo: { id: photoId } } },
      { check: 'intact', body: { text: 'Two', photo: null } },
    ])
    expect(corrected.photos).toEqual({ [photoId]: 'intact' })
    const { dataUrl } = await station.ask('receiving.photo', { photoId })
    expect(dataUrl).toMatch(/^data:image\/jpeg;base64,/)
    expect(await station.ask('receiving.deliveries', undefined)).toMatchObject([
      { record: { version: 2, corrections: 2 }, canReopen: false },
    ])
    await station.restart()
    expect(await record(id)).toEqual(corrected)
  })

  it('holds what was saved while it was made', async () => {
    const { id } = await receive()
    const finishing = station.ask('receiving.finishDelivery', { deliveryId: id })
    const importing = importAll()
    await Promise.all([finishing, importing.catch(() => undefined)])
    const { body } = await record(id)
    const listed = (await station.ask('receiving.deliveries', undefined)).find((one) => one.id === id)
    const { imported = 0, pending = 0 } = body ?? {}
    const now = (listed?.imported ?? 0) + (listed?.pending ?? 0)
    // An import is linked to the delivery that is open when it is saved: none after the record.
    expect([imported + pending, body?.refused]).toEqual([now, listed?.refused])
  })

  it('of photos: added, described, removed and brought back while the delivery is open; named by the record', async () => {
    const { id, packageUid, caseIds } = await receive()
    const heard: number[] = []
    const stop = station.client.on('receiving.photos', (list) => heard.push(list.length))
    const torn = await addPhoto(id, jpegOf({ seed: 1 }), {
      caption: 'Torn seal',
      packageUid: PackageUid.parse(packageUid),
    })
    const wet = await addPhoto(id, jpegOf({ seed: 2, size: 300_000 }), { caption: 'Wet' })
    const wrong = await addPhoto(id, jpegOf({ seed: 3 }))
    await station.ask('receiving.describePhoto', {
      photoId: wet,
      caption: 'Wet box',
      packageUid: null,
      caseId: caseIds[0] ?? null,
    })
    await station.ask('receiving.removePhoto', { photoId: torn })
    await station.ask('receiving.removePhoto', { photoId: wrong })
    await station.ask('receiving.restorePhoto', { photoId: torn })
    expect(heard.at(-1)).toBe(3)
    const shown = await station.ask('receiving.photos', undefined)
    expect(shown.map(({ caption, removedAt }) => [caption, removedAt !== null])).toEqual([
      ['Torn seal', false],
      ['Wet box', false],
      ['', true],
    ])
    expect(files()).toHaveLength(3)
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    stop()
    expect(heard.at(-1)).toBe(0)
    // What was removed is gone for good.
    expect(files()).toHaveLength(2)
    const { body, photos } = await record(id)
    expect(body?.photos).toMatchObject([
      { id: torn, caption: 'Torn seal', packageUid, width: 640, height: 480 },
      { id: wet, caption: 'Wet box', caseId: caseIds[0] },
    ])
    expect(body?.photos[1]?.identifier).not.toBeNull()
    expect(photos).toEqual({ [torn]: 'intact', [wet]: 'intact' })
    for (const call of ['receiving.removePhoto', 'receiving.restorePhoto'] as const)
      expect(await station.refused(call, { photoId: torn })).toEqual({ code: 'receiving/no-delivery' })

    await station.ask('receiving.reopenDelivery', { deliveryId: id })
    expect(await station.ask('receiving.photos', undefined)).toHaveLength(2)
    await station.ask('receiving.removePhoto', { photoId: torn })
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    expect((await record(id)).photos).toEqual({ [wet]: 'intact' })
    expect(await record(id, 1)).toMatchObject({ photos: { [torn]: 'removed', [wet]: 'intact' } })
    expect(await station.ask('receiving.photo', { photoId: torn })).toEqual({ dataUrl: null })
  })

  it('refuses photos that are none, cut off, too large or with the place where they were taken', async () => {
    const { id } = await receive()
    const whole = jpegOf()
    const inputs: [Buffer, string][] = [
      [Buffer.from('%PDF-1.7 no photo at all'), 'type'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'type'],
      [Buffer.from('0000001c66747970686569630000000068656963', 'hex'), 'heic'],
      [pngOf(), 'type'],
      [jpegFile([0xff, 0xd0], frame(60_000, 60_000), scan()), 'pixels'],
      [Buffer.from('only text, renamed to .jpg'), 'type'],
      [jpegOf({ hasExif: true }), 'type'],
      [whole.subarray(0, whole.length - 300), 'damaged'],
      [Buffer.concat([whole, Buffer.from('<script>')]), 'damaged'],
      [jpegOf({ width: 20_000, height: 20_000 }), 'pixels'],
    ]
    for (const [content, reason] of inputs) {
      const photoId = await send(content)
      const refusal = await station.refused('receiving.addPhoto', { deliveryId: id, photoId, ...bare })
      expect([content.subarray(0, 12).toString('latin1'), refusal]).toEqual([
        content.subarray(0, 12).toString('latin1'),
        { code: 'receiving/photo-unusable', reason },
      ])
    }
    const photoId = randomUUID()
    const base64 = 'A'.repeat(photoPart)
    const parts = [0, 1, 2].map((part) => ({ photoId, start: part * photoPart, base64 }))
    for (const part of parts.slice(0, 2)) await station.ask('receiving.sendPhoto', part)
    expect(await station.refused('receiving.sendPhoto', parts[2] ?? { photoId, start: 0, base64 })).toEqual({
      code: 'receiving/photo-unusable',
      reason: 'size',
    })
    // It was given up: the next part belongs to nothing.
    const gone = { code: 'receiving/photo-gone' }
    expect(await station.refused('receiving.sendPhoto', { photoId, start: photoPart, base64 })).toEqual(gone)
    expect(await station.refused('receiving.addPhoto', { deliveryId: id, photoId, ...bare })).toEqual(gone)
    expect(await station.refused('receiving.removePhoto', { photoId })).toEqual(gone)
    expect(files()).toEqual([])
    // Nothing of it hinders a good one.
    await addPhoto(id, whole)
    expect(files()).toHaveLength(1)
  })

  it('keeps as many photos as a delivery may have, and says so', async () => {
    const { id } = await receive()
    const ids: string[] = []
    for (let seed = 0; seed < photoLimits.perDelivery; seed++) ids.push(await addPhoto(id, jpegOf({ seed })))
    const one = await send(jpegOf({ seed: 99 }))
    const full = { code: 'receiving/record-full', of: 'photos', most: photoLimits.perDelivery }
    expect(await station.refused('receiving.addPhoto', { deliveryId: id, photoId: one, ...bare })).toEqual(full)
    const photoId = ids[0] ?? ''
    await station.ask('receiving.removePhoto', { photoId })
    await station.ask('receiving.addPhoto', { deliveryId: id, photoId: one, ...bare })
    expect(await station.refused('receiving.restorePhoto', { photoId })).toEqual(full)
  })

  it('shows a text that was changed, an entry that is gone, and another file in place of a photo', async () => {
    const { id } = await receive()
    const photoId = await addPhoto(id, jpegOf({ seed: 1 }))
    await station.ask('receiving.finishDelivery', { deliveryId: id, about })
    await station.ask('receiving.correct', { deliveryId: id, by: 'Maya', text: 'One', photoId: null })
    await station.ask('receiving.correct', { deliveryId: id, by: 'Maya', text: 'Two', photoId: null })
    const [name = ''] = files()
    writeFileSync(join(station.dataDir, 'practice', 'photos', name), jpegOf({ seed: 2 }))
    expect((await record(id)).photos).toEqual({ [photoId]: 'altered' })
    expect(await station.ask('receiving.photo', { photoId })).toEqual({ dataUrl: null })

    await tamper(`UPDATE delivery_entry SET body = replace(body, 'Maya Ortiz', 'Someone Else') WHERE version = 1`)
    const altered = await record(id)
    expect(altered.versions).toMatchObject([{ check: 'altered' }])
    expect(altered.corrections.map(({ check }) => check)).toEqual(['intact', 'intact'])

    await tamper(`DELETE FROM delivery_entry WHERE body LIKE '%"One"%'`)
    const cut = await record(id)
    expect(cut.corrections).toMatchObject([{ body: { text: 'Two' }, check: 'unlinked' }])

    await tamper(`UPDATE delivery_entry SET body = 'no record' WHERE version = 1`)
    expect(await record(id)).toMatchObject({ body: null, versions: [{ check: 'altered' }] })
  })

  it('shows a time, a version and a delivery that were changed beside the text, which the mark covers', async () => {
    const first = await receive()
    await station.ask('receiving.finishDelivery', { deliveryId: first.id, about })
    await station.ask('receiving.correct', { deliveryId: first.id, by: 'Maya', text: 'One', photoId: null })
    const [one] = (await record(first.id)).corrections
    expect(one?.at).toBe(one?.body?.at)
    const second = await receive(1)
    await station.ask('receiving.finishDelivery', { deliveryId: second.id, about })
    await station.ask('receiving.correct', { deliveryId: second.id, by: 'Maya', text: 'Two', photoId: null })
    const checks = async (id: string) => {
      const { versions, corrections } = await record(id)
      return [versions, corrections].map((all) => all.map(({ check }) => check))
    }
    const intact = [['intact'], ['intact']]
    expect([await checks(first.id), await checks(second.id)]).toEqual([intact, intact])

    await tamper(`UPDATE delivery_entry SET at = at + 86400000`)
    expect([await checks(first.id), await checks(second.id)]).toEqual(Array(2).fill([['altered'], ['altered']]))
    // What is shown is the time that the mark covers.
    expect((await record(first.id)).corrections[0]?.at).toBe(one?.at)
    await tamper(`UPDATE delivery_entry SET at = at - 86400000, version = version + 1`)
    expect([await checks(first.id), await checks(second.id)]).toEqual(Array(2).fill([['altered'], ['intact']]))
    await tamper(`UPDATE delivery_entry SET version = version - 1`)
    expect([await checks(first.id), await checks(second.id)]).toEqual([intact, intact])
    await tamper(`UPDATE delivery_entry SET delivery = (SELECT max(seq) FROM delivery) WHERE body LIKE '%"One"%'`)
    expect(await checks(second.id)).toEqual([['intact'], ['altered', 'intact']])
    // A delivery that became a part of another station's has its id: what was saved before stays unchanged.
    const joined = randomUUID()
    await tamper(`UPDATE delivery SET id = '${joined}' WHERE id = '${first.id}'`)
    expect(await checks(joined)).toEqual([['intact'], []])
  })

  it('has none for a delivery that an earlier version finished, which still has its report', async () => {
    const { id } = await receive()
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    await tamper('DELETE FROM delivery_entry')
    expect(await record(id)).toEqual({ versions: [], body: null, corrections: [], photos: {}, canCorrect: false })
    expect(await station.ask('receiving.report', { deliveryId: id })).toMatchObject({ summary: { id, record: null } })
    expect(await station.refused('receiving.correct', { deliveryId: id, by: 'M', text: 'x', photoId: null })).toEqual({
      code: 'receiving/no-record',
    })
    expect(await station.refused('receiving.record', { deliveryId: randomUUID(), version: null })).toEqual({
      code: 'receiving/no-delivery',
    })
  })

  it('is written for this user alone, outside the database', async () => {
    const { id } = await receive()
    await addPhoto(id, jpegOf())
    const [name = ''] = files()
    expect(name).toMatch(/^[0-9a-f]{64}\.jpg$/)
    const path = join(station.dataDir, 'practice', 'photos', name)
    expect(readFileSync(path)).toEqual(jpegOf())
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0)
  })
})
