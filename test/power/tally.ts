import type { Complaint, Verdict } from './judge'
import { type Phase, phases } from './notebook'
import type { State } from './states'

export type Tally = ReturnType<typeof createTally>

/** Counts over all states, for the closing line. */
export function createTally() {
  const perPhase = new Map<Phase, number>(phases.map((phase) => [phase, 0]))
  const found = new Map<Verdict['found'], number>()
  const complaints = new Map<Complaint['kind'], number>()
  let [states, unsettled, promises, checks, losing, salvaged, damaged] = [0, 0, 0, 0, 0, 0, 0]
  const of = (kind: Complaint['kind']) => complaints.get(kind) ?? 0

  return {
    add(state: State, verdict: Verdict): void {
      states++
      perPhase.set(state.phase, (perPhase.get(state.phase) ?? 0) + 1)
      found.set(verdict.found, (found.get(verdict.found) ?? 0) + 1)
      checks += verdict.checks
      if (state.isUnsettled) unsettled++
      if (!['sound', 'untouched', 'not opened'].includes(verdict.found)) {
        salvaged++
        if (state.phase === 'mending') damaged++
      }
      promises += state.promises.count
      if (verdict.complaints.length > 0) losing++
      for (const { kind } of verdict.complaints) complaints.set(kind, (complaints.get(kind) ?? 0) + 1)
    },
    get states() {
      return states
    },
    /** States with any complaint. */
    get losing() {
      return losing
    },
    found: () => [...found].map(([what, count]) => `${what} ${count}`).join(', '),
    closingLine(seed: number, made: number): string {
      const shares = [...perPhase].map(([phase, count]) => `${phase} ${count}`).join(', ')
      return (
        `power suite: ${states} states (${shares}; ${unsettled} with bytes that no sync covered), ${made} promises, held against a state ${promises} times, ${checks} checks, ` +
        `${of('lost')} lost, ${of('doubled')} doubled, ${of('unusable')} unusable, ${salvaged} salvaged (${damaged} of them damaged before the cut); seed ${seed}`
      )
    },
  }
}
