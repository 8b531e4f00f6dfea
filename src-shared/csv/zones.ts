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

/** Three digits are no offset: -300 may be hours and minutes, or minutes. */
const numbered = /^(?:utc|gmt)?\s*([+\u2212-])(?:(\d{1,2})(?::(\d{2}))?|(\d{2})(\d{2}))$/i

/** Of "(UTC)" what is inside, of "GMT-0700 (Mountain Standard Time)" what is before. */
function withoutBrackets(zone: string): string {
  if (!zone.endsWith(')')) return zone
  const open = zone.indexOf('(')
  return (open > 0 ? zone.slice(0, open) : zone.slice(open + 1, -1)).trim()
}

/**
 * Reads a zone: Z, UTC, GMT, 0, +00, -0700, UTC-7, MST, ET, America/Phoenix; also in brackets, or with its name in brackets behind.
 * Null if it isn't known.
 */
export function offsetOf(zone: string): Offset | null {
  const text = withoutBrackets(zone.trim())
  const [, sign, short, shortMinutes, long, longMinutes] = numbered.exec(text === '0' ? '+0' : text) ?? []
  const [hours, minutes = '0'] = long === undefined ? [short, shortMinutes] : [long, longMinutes]
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

const inBrackets = /[([]([^()[\]]+)[)\]]$/
const withSign = /\b(?:utc|gmt)\s?[+\u2212-]\d{1,2}(?::?\d{2})?(?!\d)/i
/** An abbreviation behind the name of a column: "closedAtUtc"; "Closed At UTC", "completed_at_utc". */
const camel = /(?<=\p{Ll})(Utc|UTC|Gmt|GMT)$/u
const spaced = /[\s_-](utc|gmt|(?:[ecmp]|ak|h)[sd]t)$/i
/** An abbreviation that looks like one of a zone. */
const likeZone = /^[A-Z]{2,4}T$/

/**
 * The zone in the name of a column: "Date (MST)", "Date (UTC time)", "Closed At UTC", "completed_at_utc". Empty if there is none. One
 * that isn't known is given as well, "Date (CET)": its times can't be read.
 */
export function zoneInHeader(name: string): string {
  const text = name.trim()
  const signed = withSign.exec(text)?.[0]
  if (signed !== undefined) return signed
  const inside = inBrackets.exec(text)?.[1]?.trim() ?? ''
  if (offsetOf(inside)) return inside
  const named = inside
    .split(/\s+/)
    .find((word) => /^(?:[A-Z]{3,4})$/.test(word) && (offsetOf(word) || likeZone.test(word)))
  if (named !== undefined) return named
  const behind = (camel.exec(text) ?? spaced.exec(text))?.[1]
  return behind ?? /(?:^|[\s_-])(utc|gmt)(?=[\s_-])/i.exec(text)?.[1] ?? ''
}

/** The name of a column without a zone behind it. */
export const withoutZone = (name: string): string => name.trim().replace(camel, '').replace(spaced, '')

const weekdays = /^\(?(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mi[eé]|jue|vie|s[aá]b|dom)[\p{L}]*\.?\)?$/iu

/** A weekday behind a date and a time says nothing of a zone. */
export const isWeekday = (text: string): boolean => weekdays.test(text.normalize('NFC'))

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
