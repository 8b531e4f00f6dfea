/** The offset from UTC, in minutes, of a day and a time of day, in ms, on the clocks of a zone. */
type Offset = (day: string, time: number) => number

const byName: Record<string, number> = {
  z: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  akst: -540,
  akdt: -480,
  hst: -600,
  ast: -240,
  adt: -180,
}

/** Names of zones whose clocks change, as registers write them in the US. */
const byPlace: Record<string, string> = {
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
  easterntime: 'America/New_York',
  centraltime: 'America/Chicago',
  mountaintime: 'America/Denver',
  pacifictime: 'America/Los_Angeles',
  easterntimeuscanada: 'America/New_York',
  centraltimeuscanada: 'America/Chicago',
  mountaintimeuscanada: 'America/Denver',
  pacifictimeuscanada: 'America/Los_Angeles',
  arizona: 'America/Phoenix',
}

const numbered = /^(?:utc|gmt)?\s*([+\u2212-])(\d{1,2})(?::?(\d{2}))?$/i

/** Of "(UTC)" what is inside, of "GMT-0700 (Mountain Standard Time)" what is before. */
function withoutBrackets(zone: string): string {
  if (!zone.endsWith(')')) return zone
  const open = zone.indexOf('(')
  return (open > 0 ? zone.slice(0, open) : zone.slice(open + 1, -1)).trim()
}

/**
 * Reads a zone: Z, UTC, GMT, +00, -0700, UTC-7, MST, ET, America/Phoenix; also in brackets, or with its name in brackets behind.
 * Null if it isn't known.
 */
export function offsetOf(zone: string): Offset | null {
  const text = withoutBrackets(zone.trim())
  const [, sign, hours, minutes = '0'] = numbered.exec(text) ?? []
  if (hours !== undefined) {
    const ahead = Number(hours) * 60 + Number(minutes)
    return ahead > 14 * 60 || Number(minutes) > 59 ? null : () => (sign === '+' ? ahead : -ahead)
  }
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  const fixed = Object.hasOwn(byName, word) ? byName[word] : undefined
  if (fixed !== undefined) return () => fixed
  const place = Object.hasOwn(byPlace, word)
    ? byPlace[word]
    : /^[a-z]+(?:\/[a-z_]+){1,2}$/i.test(text)
      ? text
      : undefined
  return place === undefined ? null : offsetAt(place)
}

/** The zone in brackets behind the name of a column, "Date (MST)"; empty if there is none that is known. */
export function zoneInHeader(name: string): string {
  const inside = /[([]([^()[\]]+)[)\]]$/.exec(name.trim())?.[1] ?? ''
  return offsetOf(inside) ? inside : ''
}

const weekdays = /^\(?(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mi[eé]|jue|vie|s[aá]b|dom)[\p{L}]*\.?\)?$/iu

/** A weekday behind a date and a time says nothing of a zone. */
export const isWeekday = (text: string): boolean => weekdays.test(text)

/** Offsets by place: making one takes a thousand times as long as using it, and a file has one or two zones. */
const places = new Map<string, Offset | null>()
const mostPlaces = 100

/** By the rules of a place; null if there is no such place. */
function offsetAt(timeZone: string): Offset | null {
  const known = places.get(timeZone)
  if (known !== undefined) return known
  const made = makeOffsetAt(timeZone)
  if (places.size < mostPlaces) places.set(timeZone, made)
  return made
}

function makeOffsetAt(timeZone: string): Offset | null {
  let parts: Intl.DateTimeFormat
  try {
    parts = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    })
  } catch {
    return null
  }
  const wallOf = (at: number) => {
    const part = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  return (day, time) => {
    const wall = Date.parse(`${day}T00:00:00Z`) + time
    // The offset of the moment that the first guess gives, for the guess may lie on the other side of a change.
    const guess = wall - (wallOf(wall) - wall)
    return (wallOf(guess) - guess) / 60_000
  }
}
