import { Pool } from 'undici'

/** The n-th request of a load. */
export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Figures {
  perSecond: number
  /** Duration of one request, in ms. */
  median: number
  p99: number
  /** Answers other than success. */
  failed: number
}

const connections = 8
const warmUpMs = 300

/** Sends requests for some time, eight at once. Ends early when there are no more requests (undefined). */
export async function load(
  origin: string,
  next: (n: number) => LoadRequest | undefined,
  measuredMs = 2_000,
): Promise<Figures> {
  const pool = new Pool(origin, { connections })
  let asked = 0
  const times: number[] = []
  let failed = 0
  const run = async (until: number, isMeasured: boolean) => {
    for (;;) {
      const what = performance.now() < until ? next(asked++) : undefined
      if (what === undefined) return
      const startedAt = performance.now()
      const { statusCode, body } = await pool.request({ ...what, body: what.body ?? null })
      await body.dump({ limit: 10_000_000 })
      if (!isMeasured) continue
      times.push(performance.now() - startedAt)
      if (statusCode !== 200) failed++
    }
  }
  const commitInGroup = (until: number, isMeasured: boolean) =>
    Promise.all(Array.from({ length: connections }, () => run(until, isMeasured)))
  await commitInGroup(performance.now() + warmUpMs, false)
  const startedAt = performance.now()
  await commitInGroup(startedAt + measuredMs, true)
  const seconds = (performance.now() - startedAt) / 1_000
  await pool.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / seconds, median: at(0.5), p99: at(0.99), failed }
}
