import { describe, expect, it } from 'vitest'
import { DeliveryId, PhotoId } from '../../../src-shared/ids'
import type { Complaint } from '../../crash/judge/evidence'
import { judgePhotos } from '../../crash/judge/photos'
import type { Act, DeliverySight, Line, PhotoFile } from '../../crash/ledger'

/** Checks that the judge finds faults of photos: made-up evidence of every fault. */

const deliveryId = DeliveryId.parse('00000000-0000-4000-8000-000000000002')
const [one, two] = [3, 4].map((n) => PhotoId.parse(`00000000-0000-4000-8000-00000000000${n}`))
if (!one || !two) throw new Error('two photos')
const [red, blue] = ['a'.repeat(64), 'b'.repeat(64)]

const acts = (act: Act): Line => ({ line: 'acts', n: 1, act })
const done = (act: Act): Line[] => [acts(act), { line: 'acted', n: 1, act, isDone: true }]
const sees = (delivery: DeliverySight, files: PhotoFile[]): Line => ({
  line: 'opened',
  sight: {
    operations: [],
    carts: { sale: { orderId: null, tagIds: [] }, return: { orderId: null, tagIds: [] } },
    unsent: 0,
    counts: [],
    deliveries: [delivery],
  },
  files,
})
const kinds = (lines: Line[]) => {
  const all: Complaint['kind'][] = []
  judgePhotos(lines, (kind) => all.push(kind))
  return all
}

const add: Act = { kind: 'photograph', deliveryId, photoId: one, sha256: red }
const remove: Act = { kind: 'remove photo', deliveryId, photoId: one }
const restore: Act = { kind: 'restore photo', deliveryId, photoId: one }
const finish: Act = { kind: 'finish', deliveryId }
const reopen: Act = { kind: 'reopen', deliveryId }
const correct: Act = { kind: 'correct', deliveryId, text: 'torn', photo: { photoId: two, sha256: blue } }

const file = (sha256: string, holds = sha256): PhotoFile => ({ name: `${sha256}.jpg`, sha256: holds })
const named = (check: 'intact' | 'removed' | 'missing' | 'altered' = 'intact', sha256 = red) => ({
  ...{ photoId: one, sha256 },
  check,
})
const version = (n: number, ...photos: DeliverySight['versions'][number]['photos']) => ({
  ...{ version: n, mark: `mark ${n}`, photos },
  check: 'intact' as const,
})
const delivery = (over: Partial<DeliverySight>): DeliverySight => ({
  ...{ id: deliveryId, isFinished: false, versions: [], corrections: [], photos: [] },
  ...over,
})
const empty = delivery({})
const shown = delivery({ photos: [{ photoId: one, isRemoved: false }] })
const struck = delivery({ photos: [{ photoId: one, isRemoved: true }] })
const over = (...versions: DeliverySight['versions']) => delivery({ isFinished: true, versions })
const torn = (photo: DeliverySight['corrections'][number]['photo']) =>
  delivery({
    ...{ isFinished: true, versions: [version(1)] },
    corrections: [{ text: 'torn', check: 'intact', photo }],
  })
const picture = { photoId: two, sha256: blue, check: 'intact' as const }

describe('the crash suite’s judge of photos', () => {
  it.each<[string, Line[], DeliverySight, PhotoFile[]]>([
    ['was added', done(add), shown, [file(red)]],
    ['was being added, and is', [acts(add)], shown, [file(red)]],
    ['was being added, and is not', [acts(add)], empty, []],
    ['was removed', [...done(add), ...done(remove)], struck, [file(red)]],
    ['was being removed, and is', [...done(add), acts(remove)], struck, [file(red)]],
    ['was being removed, and is not', [...done(add), acts(remove)], shown, [file(red)]],
    ['was brought back', [...done(add), ...done(remove), ...done(restore)], shown, [file(red)]],
    ['is in the record', [...done(add), ...done(finish)], over(version(1, named())), [file(red)]],
    ['was removed before the end', [...done(add), ...done(remove), ...done(finish)], over(version(1)), []],
    [
      'was removed, and the end came with the kill',
      [...done(add), ...done(remove), acts(finish)],
      over(version(1)),
      [],
    ],
    [
      'was removed from the second version',
      [...done(add), ...done(finish), ...done(reopen), ...done(remove), ...done(finish)],
      over(version(1, named('removed')), version(2)),
      [],
    ],
    [
      'was removed before it was opened again, and shows the same as another one',
      [
        ...[...done({ ...add, photoId: two }), ...done(add), ...done(remove), ...done(finish), ...done(reopen)],
        sees(over(version(1, { ...named(), photoId: two })), [file(red)]),
      ],
      delivery({
        versions: [version(1, { ...named(), photoId: two })],
        photos: [
          { photoId: two, isRemoved: false },
          { photoId: one, isRemoved: true },
        ],
      }),
      [file(red)],
    ],
    ['is of a correction', [...done(finish), ...done(correct)], torn(picture), [file(blue)]],
    ['was being added to a correction, and is', [...done(finish), acts(correct)], torn(picture), [file(blue)]],
    ['was being added to a correction, and is not', [...done(finish), acts(correct)], over(version(1)), []],
  ])('accepts a photo that %s', (_, lines, seen, files) => {
    expect(kinds([...lines, sees(seen, files)])).toEqual([])
  })

  it.each<[string, Line[], DeliverySight, PhotoFile[], Complaint['kind'][]]>([
    ['is gone', done(add), empty, [file(red)], ['lost']],
    ['has no file', done(add), shown, [], ['lost']],
    ['has another file', done(add), shown, [file(red, blue)], ['lost']],
    ['left its file, though it was not added', [acts(add)], empty, [file(red)], ['untrue']],
    ['left the first half of its file', [acts(add)], empty, [{ name: `${red}.jpg.new`, sha256: red }], ['untrue']],
    [
      'left a note beside its file',
      done(add),
      shown,
      [file(red), { name: `${red}.unfiled`, sha256: blue }],
      ['untrue'],
    ],
    ['has a row and no file, though it was not answered', [acts(add)], shown, [], ['lost']],
    ['was never added', [], shown, [file(red)], ['doubled', 'untrue']],
    ['is there twice', done(add), { ...shown, photos: [...shown.photos, ...shown.photos] }, [file(red)], ['doubled']],
    ['is removed, though no one did', done(add), struck, [file(red)], ['lost']],
    ['is back, though it was removed', [...done(add), ...done(remove)], shown, [file(red)], ['lost']],
    ['can’t be brought back', [...done(add), ...done(remove)], struck, [], ['lost']],
    [
      'was removed and left its file',
      [...done(add), ...done(remove), ...done(finish)],
      over(version(1)),
      [file(red)],
      ['untrue'],
    ],
    ['is not in the record', [...done(add), ...done(finish)], over(version(1)), [file(red)], ['lost']],
    [
      'is in the record without a file',
      [...done(add), ...done(finish)],
      over(version(1, named('missing'))),
      [],
      ['lost', 'lost'],
    ],
    [
      'is in the record as removed, and was not',
      [...done(add), ...done(finish)],
      over(version(1, named('removed'))),
      [file(red)],
      ['lost'],
    ],
    [
      'is in the record as another one',
      [...done(add), ...done(finish)],
      over(version(1, named('intact', blue))),
      [file(red)],
      ['untrue'],
    ],
    [
      'is in the record, though it was removed',
      [...done(add), ...done(remove), ...done(finish)],
      over(version(1, named('removed'))),
      [],
      ['untrue'],
    ],
    [
      'is in the record twice',
      [...done(add), ...done(finish)],
      over(version(1, named(), named())),
      [file(red)],
      ['doubled'],
    ],
    ['is missing from its correction', [...done(finish), ...done(correct)], torn(null), [], ['lost']],
    ['is missing from a correction that was being added', [...done(finish), acts(correct)], torn(null), [], ['lost']],
    ['is of a correction and has no file', [...done(finish), ...done(correct)], torn(picture), [], ['lost']],
    [
      'is of a correction and has another file',
      [...done(finish), ...done(correct)],
      torn({ ...picture, check: 'altered' }),
      [file(blue, red)],
      ['lost', 'lost'],
    ],
    ['was left by a correction', [...done(finish), acts(correct)], over(version(1)), [file(blue)], ['untrue']],
  ])('reports a photo that %s', (_, lines, seen, files, complaints) => {
    expect(kinds([...lines, sees(seen, files)])).toEqual(complaints)
  })
})
