/** What a person asked a station for, and what the station said. Kept outside the stations, so that no kill loses it. */
export interface Entry {
  /** Ms since the run began. `endedAt`: of the answer, or of the kill; undefined while it is open. */
  at: number
  endedAt?: number
  station: string
  call: string
  input: unknown
  /** The items that it was about, as the person saw them. */
  tagIds: string[]
  /** `unanswered`: the station was killed; it may have happened once or not at all. */
  outcome: 'open' | 'ok' | 'refused' | 'unanswered'
  /** The value, or the error's code. */
  answer?: unknown
  /** The station was together with its hub before and after. */
  isOnline?: boolean
}

export interface Journal {
  entries: Entry[]
  now(): number
  /** Notes something that no station was asked for: a kill, a cut. */
  note(station: string, what: string): void
}

export function createJournal(): Journal {
  const beganAt = performance.now()
  const now = () => performance.now() - beganAt
  const entries: Entry[] = []
  return {
    entries,
    now,
    note(station, what) {
      const at = now()
      entries.push({ at, endedAt: at, station, call: what, input: undefined, tagIds: [], outcome: 'ok' })
    },
  }
}

/** All that concerns an item, or none that is known, one line each. */
export function historyOf(entries: readonly Entry[], tagId: string | undefined): string[] {
  return entries
    .filter(({ tagIds }) => tagIds.length === 0 || tagId === undefined || tagIds.includes(tagId))
    .map(({ at, endedAt, station, call, input, outcome, answer }) => {
      const to = endedAt === undefined ? '' : `..${endedAt.toFixed(0)}`
      const asked = input === undefined ? '' : ` ${JSON.stringify(input)}`
      const value = answer === undefined ? '' : ` ${JSON.stringify(answer)}`
      const said = outcome === 'ok' && value === '' ? '' : ` -> ${outcome}${value}`
      return `${at.toFixed(0)}${to} ms  ${station}: ${call}${asked}${said}`.slice(0, 400)
    })
}
