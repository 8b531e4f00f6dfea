import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeliveryRows } from '../../../../src-main/receiving/delivery/delivery-rows'
import { createPhotoFiles, sha256Of } from '../../../../src-main/receiving/record/photo-files'
import { Photos } from '../../../../src-main/receiving/record/photos'
import type { ReachedStep } from '../../../../src-main/core/steps'
import { DeliveryId, PhotoId } from '../../../../src-shared/ids'
import { jpegOf } from '../../../fakes/jpeg'
import { receivingContext } from '../../../fakes/receiving-context'
import { useDesk } from '../outbox/desk'

const bare = { caption: '', packageUid: null, caseId: null }

describe('the files of photos', () => {
  const desk = useDesk()
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-photos-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  /** The station's photos; everything stops at the step, as when its process is killed. */
  const open = (deadAt?: ReachedStep) => {
    const atStep = (step: ReachedStep) => {
      if (step === deadAt) throw new Error('killed')
    }
    const context = receivingContext({ ...desk, atStep })
    return { deliveries: context.deliveries, photos: new Photos(context, createPhotoFiles(folder, atStep)) }
  }
  const start = () => new DeliveryRows(desk.db).start(DeliveryId.parse(randomUUID()), desk.clock.now())
  const send = ({ photos }: ReturnType<typeof open>, seed: number) => {
    const content = jpegOf({ seed })
    const id = PhotoId.parse(randomUUID())
    photos.receive(id, 0, content.toString('base64'))
    return { id, sha256: sha256Of(content), name: `${sha256Of(content)}.jpg` }
  }
  const files = () => readdirSync(folder).sort()

  it.each(['photo.writing', 'photo.written'] as const)('are gone at the next start without a row (%s)', (step) => {
    const { id } = start()
    const dying = open(step)
    const photo = send(dying, 1)
    expect(() => dying.photos.add(id, photo.id, bare)).toThrow('killed')
    expect(files()).not.toEqual([])
    const next = open()
    next.photos.sweep()
    expect(files()).toEqual([])
    expect(next.photos.list()).toEqual([])
  })

  it.each(['photo.writing', 'photo.written'] as const)('are gone without the correction they were for (%s)', (step) => {
    const { seq } = start()
    const dying = open(step)
    const photo = send(dying, 1)
    const looked = dying.photos.look(photo.id)
    if (!looked.ok) throw new Error(looked.error.code)
    expect(() => {
      dying.photos.addTo(seq, 1, looked.value)
    }).toThrow('killed')
    open().photos.sweep()
    expect(files()).toEqual([])
  })

  it('stay with their row, and with the row of another photo of the same content', () => {
    const { id } = start()
    const first = open('photo.saved')
    const one = send(first, 1)
    expect(() => first.photos.add(id, one.id, bare)).toThrow('killed')
    const second = open('photo.written')
    second.photos.sweep()
    expect(files()).toEqual([one.name])
    // The same picture again, and another one.
    const same = send(second, 1)
    expect(second.photos.add(id, same.id, bare)).toEqual({ ok: true, value: null })
    const other = send(second, 2)
    expect(() => second.photos.add(id, other.id, bare)).toThrow('killed')
    const last = open()
    last.photos.sweep()
    expect(files()).toEqual([one.name])
    expect(last.photos.list().map((photo) => photo.id)).toEqual([one.id, same.id])
  })

  it('stay if this station did not write them: the rows of a repaired database may be missing', () => {
    const foreign = `${'a'.repeat(64)}.jpg`
    writeFileSync(join(folder, foreign), 'a photo')
    open().photos.sweep()
    expect(files()).toEqual([foreign])
  })

  it.each(['photo.sweeping', 'photo.swept'] as const)('of removed photos go at the next start (%s)', (step) => {
    const { id, seq } = start()
    const dying = open(step)
    const [kept, removed] = [send(dying, 1), send(dying, 2)]
    for (const photo of [kept, removed]) dying.photos.add(id, photo.id, bare)
    expect(dying.photos.remove(removed.id).ok).toBe(true)
    dying.deliveries.finish(seq, desk.clock.now())
    dying.photos.sweep()
    open().photos.sweep()
    expect(files()).toEqual([kept.name])
  })
})
