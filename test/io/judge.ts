import { readdirSync } from 'node:fs'
import { CallAnswer } from '../../src-shared/ipc/client'
import { practiceId } from '../../src-shared/ipc/contract/station'
import { openStore } from '../../src-main/database/open'
import { databaseIn } from '../power/old-data'
import { judge as judgeStore } from '../power/judge'
import { readKept } from '../power/kept'
import type { Line } from '../power/notebook'
import { followPromises } from '../power/promises'
import { Refusal } from './lives'
import type { End } from './strace'

/** A fault that the judge found. */
export interface Complaint {
  /**
   * `false saved`: an answer of this life that isn't so; `lost`: data from before it is gone or was set aside; `revived`:
   * what was answered with "not saved" is there, or was done twice; `mistaken`: a disk error was told as something else;
   * `broken`: the station can't be opened on a disk that works, or its process ended by itself.
   */
  kind: 'false saved' | 'lost' | 'revived' | 'mistaken' | 'broken'
  text: string
}

export interface Verdict {
  complaints: Complaint[]
  promises: number
  checks: number
  /** The codes of the disk's errors and of bugs that a person was told in this life. */
  told: string[]
  /** The reason that the station gave for not starting. */
  refusal: Refusal | undefined
}

interface Evidence {
  /** The data folder after the kill. */
  folder: string
  /** The notebook, and how many of its lines are of the life before. */
  lines: readonly Line[]
  before: number
  end: End
}

/** Opens what the killed station left, on a disk that works, and compares it with what it had answered. */
export function judgeLife({ folder, lines, before, end }: Evidence): Verdict {
  const refusal = refusalIn(end)
  const complaints = endComplaints(end, refusal)
  const follow = followPromises(lines)
  for (const line of lines) follow.take(line)
  const promises = follow.now()
  const verdict = judgeStore(folder, { promises, old: new Map(), ends: undefined })
  const isSalvaged = !['sound', 'untouched', 'not opened'].includes(verdict.found)
  if (isSalvaged || setAsideIn(folder).length > 0) {
    complaints.push({ kind: 'lost', text: `the database was set aside (${verdict.found})` })
  }
  for (const { kind, text } of verdict.complaints) complaints.push({ kind: kinds[kind], text })
  if (verdict.found !== 'not opened') complaints.push(...goneFrom(folder, lines.slice(0, before)))
  const told = toldIn(lines.slice(before))
  if (told.includes('app/unexpected')) complaints.push({ kind: 'broken', text: 'a call met a bug' })
  return { complaints, promises: promises.count, checks: verdict.checks, told, refusal }
}

const toldIn = (lines: readonly Line[]) =>
  lines.flatMap((line) => {
    const answer = line.line === 'answered' ? CallAnswer.parse(line.answer) : undefined
    return answer && !answer.ok && /^(store|app)\//.test(answer.error.code) ? [answer.error.code] : []
  })

const kinds = { lost: 'false saved', doubled: 'revived', unusable: 'broken' } as const

const setAsideIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('.damaged-'))

/** The operations of the life before that are gone. */
function goneFrom(folder: string, lines: readonly Line[]): Complaint[] {
  const follow = followPromises(lines)
  for (const line of lines) follow.take(line)
  const store = openStore(databaseIn(folder))
  const { operations } = readKept(store.db)
  store.close()
  return [...follow.now().operations.values()]
    .filter(({ id }) => !operations.has(id))
    .map(({ kind, orderId }) => ({ kind: 'lost', text: `${kind} of ${orderId ?? ''} from before is gone` }))
}

function refusalIn({ out }: End): Refusal | undefined {
  return out === '' ? undefined : Refusal.parse(JSON.parse(out))
}

/** A start that a disk error prevents says so, and that isn't damage. */
const honest = ['store/no-access']

function endComplaints({ code, signal, said, isTooLong }: End, refusal: Refusal | undefined): Complaint[] {
  if (isTooLong) return [{ kind: 'broken', text: 'it did not end' }]
  if (refusal) {
    const { code, message } = refusal
    return honest.includes(code) ? [] : [{ kind: 'mistaken', text: `it did not start: ${code}: ${message}` }]
  }
  return signal === 'SIGKILL' ? [] : [{ kind: 'broken', text: `it ended with ${code ?? signal ?? ''}: ${said}` }]
}

export const profileFolder = practiceId
