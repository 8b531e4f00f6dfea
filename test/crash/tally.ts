import { type Step, steps } from './kills'
import type { Complaint } from './judge/evidence'
import type { Act } from './ledger'
import type { RunResult } from './run'

/** Counts over all runs, for the closing line. */
export function createTally() {
  const killsAt = new Map<Step, number>(steps.map((step) => [step, 0]))
  const complaints = new Map<Complaint['kind'], number>()
  let runs = 0
  let outside = 0
  let faults = 0
  let promises = 0
  const acts = new Map<Act['kind'], number>()

  return {
    add(result: RunResult): void {
      runs++
      outside += result.outsideKills
      faults += result.faults
      for (const line of result.lines) {
        if (line.line === 'killed') killsAt.set(line.at, (killsAt.get(line.at) ?? 0) + 1)
        if (line.line === 'told' || line.line === 'found') promises++
        if (line.line === 'acted' && line.isDone) {
          const { kind } = line.act
          acts.set(kind, (acts.get(kind) ?? 0) + 1)
        }
        // An outage meets no request, and an expired token meets every request: each counts once.
        if (line.line === 'knobs' && /offline|expire/.test(line.what)) faults++
      }
      for (const { kind } of result.complaints) complaints.set(kind, (complaints.get(kind) ?? 0) + 1)
    },
    closingLine(seed: number): string {
      const inside = [...killsAt.values()].reduce((sum, count) => sum + count, 0)
      const perStep = [...killsAt].map(([step, count]) => `${step} ${count}`).join(', ')
      const of = (kind: Complaint['kind']) => complaints.get(kind) ?? 0
      const done = (kind: Act['kind']) => acts.get(kind) ?? 0
      const untrue = of('untrue') > 0 ? `, ${of('untrue')} untrue` : ''
      return (
        `crash suite: ${runs} runs, ${inside + outside} kills (per step: ${perStep}; at any moment ${outside}), ` +
        `${faults} faults, ${promises} promises, ${done('scan')} shelf scans, ${done('sign')} counts signed, ` +
        `${done('finish')} deliveries finished, ${done('photograph')} photos, ${done('correct')} corrections, ${of('lost')} lost, ${of('doubled')} doubled, ` +
        `${of('out of order')} out of order${untrue}; seed ${seed}`
      )
    },
  }
}
