import type { Chance } from '../crash/chance'
import { type Life, lives } from './lives'
import { type Call, type Injection, callOf, calls, errors } from './strace'

/** What a life did on a disk that works: the files it touched, and how often each thread made each call. */
export interface Reached {
  /** Within the data folder; '' is the folder itself. */
  paths: string[]
  /** The n of each call that the part under test reaches. */
  nths: ReadonlyMap<Call, readonly number[]>
}

/**
 * Reads strace's log (`-f -y`) of a life without errors. `isMarked`: only what comes after the station said that it is
 * open is under test; the start before it has a life of its own.
 */
export function reachedIn(log: string, dataDir: string, isMarked: boolean): Reached {
  const paths = new Set<string>()
  const counts = new Map<string, number>()
  const nths = new Map<Call, Set<number>>(calls.map((call) => [call, new Set()]))
  let isBegun = !isMarked
  for (const line of log.split('\n')) {
    const [, thread, name, rest] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? []
    if (thread === undefined || name === undefined || rest === undefined) continue
    if (name === 'write' && rest.includes(String.raw`\"phase\":\"selling\"`)) isBegun = true
    const call = callOf(name)
    const touched = [...rest.matchAll(/[<"](\/[^">]*)[">]/g)].flatMap(([, path = '']) => insideOf(path, dataDir))
    if (!call || touched.length === 0) continue
    for (const path of touched) paths.add(path)
    const key = `${thread} ${call}`
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    if (isBegun) nths.get(call)?.add(nth)
  }
  return {
    paths: [...paths].sort(),
    nths: new Map([...nths].map(([call, set]) => [call, [...set].sort((a, b) => a - b)])),
  }
}

const insideOf = (path: string, dataDir: string) =>
  path === dataDir ? [''] : path.startsWith(`${dataDir}/`) ? [path.slice(dataDir.length + 1)] : []

export interface Planned extends Injection {
  number: number
  life: Life
  /** The kill comes at the first answer that says that nothing was saved, or at the end of the life. */
  kill: 'soon' | 'end'
}

/**
 * An error in each call that the lives reach, numbered: every error in every manner. Of the many writes each fails once and
 * from then on, with the errors in turn; `isFull`: with every error as well.
 */
export function planOf(reached: ReadonlyMap<Life, Reached>, isFull: boolean): Planned[] {
  const all = lives.flatMap((life) =>
    calls.flatMap((call) =>
      (reached.get(life)?.nths.get(call) ?? []).flatMap((nth) =>
        mannersOf(call).flatMap((manner, index) => {
          const inTurn = errors[(nth + 2 * index) % errors.length] ?? errors[0]
          const chosen = call === 'pwrite64' && !isFull ? [inTurn] : errors
          return chosen.map((error) => ({ life, call, error, nth, ...manner }))
        }),
      ),
    ),
  )
  return all.map((one, number) => ({ number, ...one }))
}

type Manner = Pick<Planned, 'times' | 'kill'>
const usual: Manner[] = [
  { times: 'once', kill: 'end' },
  { times: 'on', kill: 'end' },
]
/** A commit whose sync fails is in the log whole. The second failure meets what is done about the first. */
const ofSync: Manner[] = [
  ...usual,
  { times: 'once', kill: 'soon' },
  { times: 'twice', kill: 'end' },
  { times: 'on', kill: 'soon' },
]
const mannersOf = (call: Call) => (call === 'fsync' ? ofSync : usual)

/** Some of a plan: from each call of each life in turn, so that a rare one isn't missed. */
export function sampleOf(plan: readonly Planned[], runs: number, chance: Chance): Planned[] {
  const groups = [...Map.groupBy(plan, ({ life, call }) => `${life} ${call}`).values()].map((group) => [...group])
  const picked: Planned[] = []
  while (picked.length < runs && groups.some((group) => group.length > 0)) {
    for (const group of groups) {
      if (picked.length < runs && group.length > 0) picked.push(...group.splice(chance.below(group.length), 1))
    }
  }
  return picked
}
