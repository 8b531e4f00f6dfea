import type { Complaint, Verdict } from './judge'
import type { Planned } from './plan'

export type Tally = ReturnType<typeof createTally>

/** Counts over all runs, for the closing line. */
export function createTally() {
  const per = new Map<string, number>()
  const complaints = new Map<Complaint['kind'], number>()
  const told = new Map<string, number>()
  let [runs, failed, refused, reached, promises, checks] = [0, 0, 0, 0, 0, 0]
  const of = (kind: Complaint['kind']) => complaints.get(kind) ?? 0
  const count = (name: string) => per.set(name, (per.get(name) ?? 0) + 1)

  return {
    add({ life, call }: Planned, verdict: Verdict, wasReached: boolean): void {
      runs++
      count(life)
      count(call)
      promises += verdict.promises
      for (const code of verdict.told) told.set(code, (told.get(code) ?? 0) + 1)
      checks += verdict.checks
      if (wasReached) reached++
      if (verdict.refusal) refused++
      if (verdict.complaints.length > 0) failed++
      for (const { kind } of verdict.complaints) complaints.set(kind, of(kind) + 1)
    },
    /** Runs with any complaint. */
    get failed() {
      return failed
    },
    closingLine(seed: number, planned: number): string {
      const shares = [...per].map(([name, number]) => `${name} ${number}`).join(', ')
      const codes = [...told].map(([code, number]) => `${code} ${number}, `).join('')
      const others = (['mistaken', 'broken'] as const).flatMap((kind) =>
        of(kind) > 0 ? [`, ${of(kind)} ${kind}`] : [],
      )
      return (
        `io suite: ${runs} runs of ${planned} (${shares}), ${reached} met their error, ${refused} starts refused, ` +
        `${codes}${promises} promises, ${checks} checks, ${of('false saved')} false "saved", ${of('lost')} lost, ` +
        `${of('revived')} revived${others.join('')}; seed ${seed}`
      )
    },
  }
}
