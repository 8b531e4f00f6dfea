import { hash } from 'node:crypto'
import { join, relative } from 'node:path'
import { chanceOf } from '../crash/chance'
import { type Image, type Manner, cutPower, manners } from './cut'
import { type Disk, createDisk } from './disk'
import { type Phase, phases } from './notebook'
import { type Promises, followPromises } from './promises'
import type { Entry, Recording } from './record'

/** A disk as a power cut could leave it. */
export interface State {
  number: number
  phase: Phase
  manner: Manner
  /** The last change before the power cut, by its number in the trace. */
  after: number
  /** The current data folder, relative to the station's. */
  folder: string
  /** That folder's files, by their path in it; null is a folder. */
  files: Image
  /** Whether bytes of a file were unsynced at the cut: otherwise only names may be lost. */
  isUnsettled: boolean
  promises: Promises
}

interface StateParts {
  recording: Recording
  states: number
  seed: number
  isHonest?: (path: string) => boolean
}

/**
 * Cuts the power all along the trace: every phase gets the same share of the states, if it has enough different ones,
 * and each share is spread evenly over the changes of its phase. No two states are alike.
 */
export function* statesOf({ recording, states, seed, isHonest = () => true }: StateParts): Generator<State> {
  const { start, entries, dataDir } = recording
  const disk = createDisk({ start, isHonest })
  const follow = followPromises(recording.lines)
  const ends = endsOf(entries)
  const seen = new Set<string>()
  const done = new Map<Phase, { changes: number; states: number }>()
  let phase: Phase = 'migrating'
  let number = 0
  /** Promises and pending changes determine the result of a cut: if neither has changed, a second look is useless. */
  let knownAt = 0

  const all = [...ends.values()].reduce((sum, changes) => sum + changes, 0)
  const shareOf = (of: Phase) => {
    const changes = ends.get(of) ?? 0
    // Half of the states are distributed equally among the phases, half by the number of their changes.
    return (states / 2) * (1 / ends.size + changes / all)
  }

  for (const entry of entries) {
    if (entry.kind === 'line') {
      follow.take(entry.line)
      if (entry.line.line === 'scene') phase = entry.line.phase
      knownAt++
      continue
    }
    disk.apply(entry.change, entry.at)
    const so = done.get(phase) ?? { changes: 0, states: 0 }
    done.set(phase, so)
    so.changes++
    const share = Math.round((shareOf(phase) * so.changes) / (ends.get(phase) ?? 1))
    const due = Math.min(share - so.states, states - number)
    const promises = due > 0 ? follow.now() : undefined
    for (let tries = 0, made = 0; promises && made < due && tries < due + 3; tries++) {
      const chance = chanceOf('cut', seed, entry.at, tries)
      const manner = chance.pick(manners)
      const own = join(dataDir, follow.folder())
      const files = filesOf(cutPower(disk, manner, chance), own)
      const sign = signOf(files, `${follow.folder()} ${knownAt}`)
      if (seen.has(sign)) continue
      seen.add(sign)
      made++
      so.states++
      const about = { phase, manner, after: entry.at, folder: follow.folder() }
      yield { number: number++, ...about, files, isUnsettled: isUnsettled(disk, own), promises }
    }
  }
}

const isUnsettled = ({ seen }: Disk, folder: string) =>
  [...seen].some(([path, file]) => path.startsWith(`${folder}/`) && file.pending.length > 0)

/** The number of changes in each phase. */
function endsOf(entries: readonly Entry[]): Map<Phase, number> {
  const ends = new Map<Phase, number>()
  let phase: Phase = phases[0]
  for (const entry of entries) {
    if (entry.kind === 'change') ends.set(phase, (ends.get(phase) ?? 0) + 1)
    else if (entry.line.line === 'scene') phase = entry.line.phase
  }
  return ends
}

const filesOf = (image: Image, folder: string): Image =>
  new Map(
    [...image].flatMap(([path, bytes]) =>
      path.startsWith(`${folder}/`) ? [[relative(folder, path), bytes] as const] : [],
    ),
  )

/** Hashes of byte arrays that are unchanged from state to state. */
const hashes = new WeakMap<Buffer, string>()

function signOf(files: Image, about: string): string {
  const parts = [...files].map(([path, bytes]) => {
    const known = bytes === null ? 'folder' : (hashes.get(bytes) ?? hash('sha1', bytes))
    if (bytes) hashes.set(bytes, known)
    return `${path} ${known}`
  })
  return [about, ...parts.sort()].join('\n')
}
