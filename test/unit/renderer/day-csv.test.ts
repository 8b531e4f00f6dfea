import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayFile } from '../../../src-renderer/orders/day/day-csv'
import { language } from '../../../src-renderer/text/text.svelte'
import { localTime } from '../../../src-shared/csv/local-time'
import type { DayExport } from '../../../src-shared/ipc/contract/checkout'
import { order, tag } from '../../fakes/ids'

type Line = DayExport['lines'][number]
const line = (fields: Partial<Line> = {}): Line => ({
  station: 'TILL-3',
  kind: 'complete',
  orderId: order('7'),
  state: 'accepted',
  performedAt: '2026-11-21T14:00:00.000Z',
  reason: null,
  note: null,
  unsettled: null,
  dismissedBecause: null,
  budtender: 'Rosa',
  items: [
    { tagId: tag(1), product: 'Blue Dune' },
    { tagId: tag(2), product: 'Night Tide' },
  ],
  remark: null,
  ...fields,
})
/** Nothing is to be known of a comparison with the POS. */
const none = { posFaulty: 0, posUnknown: 0 }
const linesOf = (...lines: Line[]) =>
  dayFile({ fileName: 'orders.csv', lines, pos: [], posLeft: 0, isPosMissing: false, ...none, posStore: null })
    .text.slice(1)
    .trim()
    .split('\r\n')

describe('the CSV file of a day', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'America/New_York')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    language.locale = 'en'
  })

  it('has the time of the store and words instead of codes', () => {
    expect(
      linesOf(
        line(),
        line({
          kind: 'return',
          state: 'queued',
          remark: 'torn bag',
          budtender: null,
          items: [{ tagId: tag(1), product: null }],
        }),
        line({ kind: 'void', state: 'rejected', reason: { code: 'service/items-missing' }, items: [] }),
        line({ state: 'cancelled', dismissedBecause: 'rung up twice', items: [{ tagId: tag(1), product: null }] }),
      ),
    ).toEqual([
      'Time (America/New_York),Order,Report,Status,Budtender,TagID,Product,Reason for refusal,Note,Station',
      `2026-11-21 09:00:00,7,Sale,Reported,Rosa,${tag(1)},Blue Dune,,,TILL-3`,
      `2026-11-21 09:00:00,7,Sale,Reported,Rosa,${tag(2)},Night Tide,,,TILL-3`,
      `2026-11-21 09:00:00,7,Return,Waiting,,${tag(1)},,,torn bag,TILL-3`,
      '2026-11-21 09:00:00,7,Void,Refused,Rosa,,,The report had no items.,,TILL-3',
      `2026-11-21 09:00:00,7,Sale,Dismissed: rung up twice,Rosa,${tag(1)},,,,TILL-3`,
    ])
  })

  it.each([
    ['accepted', {}, 0],
    ['queued', { state: 'queued' }, 0],
    ['dismissed', { state: 'cancelled', dismissedBecause: 'rung up twice' }, 0],
    ['refused', { state: 'rejected' }, 1],
    ['not settled', { state: 'unknown', unsettled: { shown: null } }, 1],
  ] as const)('has a line of a report without items only if it needs a person: %s', (_what, fields, count) => {
    expect(linesOf(line({ items: [], ...fields })).slice(1)).toHaveLength(count)
  })

  it('is written in the language of the screen', () => {
    language.locale = 'es'
    const [head, sale] = linesOf(line({ items: [{ tagId: tag(1), product: null }] }))
    expect(head).toMatch(/^Hora \(America\/New_York\),Pedido,Informe,Estado,Vendedor,/)
    expect(sale).toContain(',7,Venta,')
  })

  it.each(['=1+1', '+1', '-1', '@x'])('contains no formula for a station or budtender named %s', (name) => {
    const file = dayFile({
      fileName: 'a.csv',
      lines: [line({ station: name, budtender: name, orderId: name })],
      pos: [],
      posLeft: 0,
      isPosMissing: false,
      ...none,
      posStore: null,
    })
    const cells = file.text.split('\r\n')[1]?.split(',') ?? []
    expect([cells[1], cells[4], cells.at(-1)]).toEqual([`'${name}`, `'${name}`, `'${name}`])
  })
})

it('writes local times with their offset, in summer and winter, east and west', () => {
  try {
    for (const [zone, winter, summer] of [
      ['America/New_York', '2026-01-01 07:00:00 -05:00', '2026-07-01 08:00:00 -04:00'],
      ['Asia/Kolkata', '2026-01-01 17:30:00 +05:30', '2026-07-01 17:30:00 +05:30'],
      ['America/St_Johns', '2026-01-01 08:30:00 -03:30', '2026-07-01 09:30:00 -02:30'],
    ] as const) {
      vi.stubEnv('TZ', zone)
      expect([localTime('2026-01-01T12:00:00Z'), localTime('2026-07-01T12:00:00Z')]).toEqual([winter, summer])
    }
  } finally {
    vi.unstubAllEnvs()
  }
})
