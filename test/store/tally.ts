import type { Entry } from './journal'
import type { RunResult } from './run'

/** Counts over all runs, for the closing line. */
export function createTally() {
  const sums = {
    runs: 0,
    kills: 0,
    hubKills: 0,
    cuts: 0,
    claims: 0,
    collisions: 0,
    takeovers: 0,
    marked: 0,
    sales: 0,
    broken: 0,
  }
  const isScan = ({ call }: Entry) => call === 'checkout.addItem'
  const has = (value: unknown, name: string) => typeof value === 'object' && value !== null && name in value
  const codeOf = ({ answer }: Entry) => (has(answer, 'code') ? JSON.stringify(answer) : '')
  return {
    add({ complaints, entries, kills, hubKills, cuts }: RunResult): void {
      sums.runs++
      sums.kills += kills
      sums.hubKills += hubKills
      sums.cuts += cuts
      if (complaints.length > 0) sums.broken++
      for (const entry of entries) {
        const isOk = entry.outcome === 'ok'
        if (isOk && entry.call === 'checkout.finish') sums.sales++
        if (!isScan(entry)) continue
        if (isOk && has(entry.input, 'takeOver')) sums.takeovers++
        if (isOk && entry.answer === null) sums.claims++
        if (isOk && has(entry.answer, 'kind')) sums.marked++
        if (codeOf(entry).includes('"checkout/claimed"')) sums.collisions++
      }
    },
    broken: () => sums.broken,
    closingLine: (seed: number) =>
      `store suite: ${sums.runs} runs, ${sums.kills} kills of stations, ${sums.hubKills} of PostgreSQL, ${sums.cuts} cuts, ` +
      `${sums.claims} claims, ${sums.collisions} collisions refused, ${sums.takeovers} takeovers, ${sums.marked} marked, ` +
      `${sums.sales} sales and returns, ${sums.broken} broken; seed ${seed}`,
  }
}
