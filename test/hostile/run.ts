import { type Complaint, unboundedIn } from './judge'
import type { Misbehaviour } from './misbehaviour'
import { type Stand, openStand } from './stand'
import { type Verdict, tryRow } from './trial'

interface RunParts {
  rows: readonly Misbehaviour[]
  /** The station's bundle. */
  bundle: string
  /** Parallel stations: a row spends most of its time waiting. */
  jobs: number
  /** Called with each row after it is judged. */
  onVerdict?: (verdict: Verdict) => void
}

export interface RunResult {
  verdicts: Verdict[]
  /** Number of stations that were started. */
  stations: number
}

/** Rows that share a station, one after the other. */
const perStation = 20

/** Tries every row, with several stations in parallel. */
export async function runRows({ rows, bundle, jobs, onVerdict = () => undefined }: RunParts): Promise<RunResult> {
  const queue = batchesOf(rows, Math.max(1, Math.min(perStation, Math.ceil(rows.length / jobs))))
  const verdicts: Verdict[] = []
  let stations = 0
  const lane = async () => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      for (let rest = batch; rest.length > 0;) {
        stations++
        const done = await oneStation(rest, bundle)
        rest = rest.slice(done.length)
        for (const verdict of done) onVerdict(verdict)
        verdicts.push(...done)
      }
    }
  }
  await Promise.all(Array.from({ length: jobs }, lane))
  return { verdicts, stations }
}

/** Stations behind TLS have rows of their own. */
function batchesOf(rows: readonly Misbehaviour[], size: number): Misbehaviour[][] {
  const kinds = [
    rows.filter((row) => row.certificate === undefined),
    rows.filter((row) => row.certificate !== undefined),
  ]
  return kinds.flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size)),
  )
}

/**
 * The rows that one station survives: after a complaint the next row gets a new station, so that each row is judged
 * alone.
 */
async function oneStation(rows: readonly Misbehaviour[], bundle: string): Promise<Verdict[]> {
  const isBehindTls = rows[0]?.certificate !== undefined
  const stand = await openStand({ bundle, rows: rows.length, isBehindTls })
  const verdicts: Verdict[] = []
  try {
    for (const [n, row] of rows.entries()) {
      const lot = stand.shop.lots[n]
      if (!lot) break
      const verdict = await tryRow(row, stand, lot, n)
      verdicts.push(verdict)
      if (verdict.complaints.length > 0) break
    }
    const last = verdicts.at(-1)
    if (last && stand.child.isAlive()) last.complaints.push(...(await afterwards(stand)))
    blameForLengths(stand, verdicts)
  } finally {
    await stand.close()
  }
  return verdicts
}

/** The lasting state: the lists of a restarted station. */
async function afterwards(stand: Stand): Promise<Complaint[]> {
  try {
    await stand.reopen()
    const answers = await Promise.all([
      stand.child.client.call('app.status', undefined),
      ...(['waiting', 'attention', 'recent'] as const).map((show) => stand.child.client.call('outbox.list', { show })),
    ])
    const complaints = answers.flatMap((answer): Complaint[] =>
      answer.ok ? [] : [{ kind: 'error', text: `after a restart a list fails: ${answer.error.code}` }],
    )
    await stand.child.close()
    return complaints
  } catch (cause) {
    return [{ kind: 'dead', text: `it could not be started again: ${String(cause)}` }]
  }
}

/** A stored text that is too long is reported for the row of its operation. */
function blameForLengths(stand: Stand, verdicts: Verdict[]): void {
  const file = stand.databaseFile()
  if (file === undefined) return
  for (const { payload, complaint } of unboundedIn(file)) {
    const n = stand.shop.lots.findIndex((lot) =>
      [lot.tagId, lot.otherTagId, lot.delivery.caseId].some((one) => payload.includes(one)),
    )
    const verdict = verdicts[n] ?? verdicts.at(-1)
    if (verdict && !verdict.complaints.some(({ text }) => text === complaint.text)) verdict.complaints.push(complaint)
  }
}
