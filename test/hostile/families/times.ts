import type { Answer, Kind, Misbehaviour } from '../misbehaviour'
import { rewritten, tears } from '../wire'

/**
 * Services that don't show a sale's time as it was reported (the specification doesn't promise it), and whose answers
 * get lost. They keep their own times even when they are well.
 */

const family = 'times' as const

const soldAt =
  (change: (moment: Date, text: string) => unknown): Answer =>
  (visit) =>
    rewritten((key, value) =>
      key === 'sold_at_dispensary_on' && typeof value === 'string' ? change(new Date(value), value) : value,
    )(visit)

const offsetForm = (moment: Date) => `${new Date(moment.getTime() + 19_800_000).toISOString().slice(0, -1)}+05:30`
const shifted = (moment: Date, ms: number) => new Date(moment.getTime() + ms).toISOString()

const minute = 60_000
const day = 86_400_000
/** The beginning of the day of a zone that is `hours` behind UTC, or of the day after it. */
const dayOf = (moment: Date, hours: number, round: (days: number) => number) => {
  const behind = hours * 3_600_000
  return new Date(round((moment.getTime() - behind) / day) * day + behind).toISOString()
}

const shown: [name: string, answer: Answer][] = [
  ['its own time, seconds later', soldAt((moment) => shifted(moment, 3_700))],
  ['its own time, a moment before', soldAt((moment) => shifted(moment, -1_300))],
  ['a time five hours off', soldAt((moment) => shifted(moment, -18_000_000))],
  ['whole seconds', soldAt((moment) => new Date(Math.floor(moment.getTime() / 1_000) * 1_000).toISOString())],
  ['rounded seconds', soldAt((moment) => new Date(Math.round(moment.getTime() / 1_000) * 1_000).toISOString())],
  ['seconds rounded up', soldAt((moment) => new Date(Math.ceil(moment.getTime() / 1_000) * 1_000).toISOString())],
  ['minutes rounded up', soldAt((moment) => new Date(Math.ceil(moment.getTime() / minute) * minute).toISOString())],
  ['the day', soldAt((moment) => dayOf(moment, 0, Math.floor))],
  ['the day of the store', soldAt((moment) => dayOf(moment, 5, Math.floor))],
  ['the next day', soldAt((moment) => dayOf(moment, 0, Math.ceil))],
  ['minutes', soldAt((moment) => `${moment.toISOString().slice(0, 16)}:00Z`)],
  ['another zone', soldAt((moment) => offsetForm(moment))],
  ['microseconds', soldAt((moment) => moment.toISOString().replace('Z', '000Z'))],
  ['nothing', soldAt(() => null)],
  ['a date alone', soldAt((moment) => moment.toISOString().slice(0, 10))],
  ['the year 20000', soldAt(() => '+020000-01-01T00:00:00.000Z')],
  ['garbage', soldAt(() => 'soon')],
  ['a number', soldAt((moment) => moment.getTime())],
  ['no such field', soldAt(() => undefined)],
]

export const times: Misbehaviour[] = shown.flatMap(([name, answer]) =>
  (['complete', 'void', 'return'] satisfies Kind[]).flatMap((kind) =>
    [true, false].map((isTaken): Misbehaviour => ({
      name: `answers are lost, and sold items show ${name}, ${kind}, ${isTaken ? 'taken' : 'not taken'}`,
      family,
      kind,
      parts: [
        { at: 'reads', isTaken: true, answer, lasts: true },
        { at: 'reports', isTaken, answer: tears() },
      ],
    })),
  ),
)
