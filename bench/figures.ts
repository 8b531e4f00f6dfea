/** Statistics of a bench, with no more digits than the measurements support. */

export const median = (values: number[]): number => percentile(values, 50)

export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 3 : 1)} ms`
/** Formats a difference. */
export const signed = (value: number) => `${value < 0 ? '−' : '+'}${ms(Math.abs(value))}`
export const times = (value: number) => `${value.toFixed(2)} x`
/** `limit` as a promise: "at least" or "at most". */
export const verdict = (value: number, limit: { atLeast: number } | { atMost: number }) =>
  ('atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost) ? 'kept' : 'NOT KEPT'
