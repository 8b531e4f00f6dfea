import type { Complaint } from './judge'
import type { RunResult } from './run'

/** All counts in one line. */
export function closingLine({ verdicts, stations }: RunResult): string {
  const rowsWith = (...kinds: Complaint['kind'][]) =>
    verdicts.filter(({ complaints }) => complaints.some(({ kind }) => kinds.includes(kind))).length
  const memories = verdicts.map(({ memory }) => memory).filter((one) => one !== undefined)
  const highest = memories.length === 0 ? 'not measured' : `${Math.max(...memories).toFixed(0)} MB`
  const recoveries = verdicts.map(({ recovery }) => recovery).filter((one) => one !== null)
  const slowest = recoveries.length === 0 ? 'none' : `${Math.max(...recoveries).toFixed(1)} s`
  const more = (['lost', 'doubled', 'slow', 'unbounded', 'pace', 'error'] as const)
    .map((kind) => `${rowsWith(kind)} ${kind}`)
    .join(', ')
  return (
    `hostile suite: ${verdicts.length} misbehaviours, ${stations} stations, ${rowsWith('dead')} dead, ` +
    `highest memory ${highest}, ${rowsWith('untrue')} untrue, ${rowsWith('secret')} secrets, ${more}; ` +
    `slowest recovery ${slowest}`
  )
}
