import { z } from 'zod'
import type { Hub, HubLog, LogRecord } from '../../../../src-main/hub/port'

type Kept = LogRecord & { epoch: number; revision: number }
export type Fault = 'none' | 'no-answer' | 'lost-answer' | 'late'

/** A hub as `hub/postgres/log.ts` keeps one: that the server does the same is tested against it. */
export class FakeHub {
  #id = 'first'
  #epoch = 0
  #revisions = new Map<string, number>()
  #records = new Map<string, Kept>()
  /** Pushes that reach it later than newer ones, if at all. */
  #late: (() => void)[] = []
  fault: Fault = 'none'
  /** What happens just before the next push arrives. */
  beforePush: (() => Promise<void>) | undefined
  /** Every setting that it ever had. */
  readonly settings = new Set<number>()

  /** It is made anew, and knows nothing. */
  lose(id: string): void {
    this.#id = id
    this.#records.clear()
    this.#revisions.clear()
    this.#late = []
  }

  /** How it is, for `restore`. */
  backup() {
    return { records: new Map(this.#records), revisions: new Map(this.#revisions) }
  }

  /** It is from a backup, or has lost its last seconds. `id`: another one if it was noticed. */
  restore({ records, revisions }: ReturnType<FakeHub['backup']>, id: string): void {
    this.#id = id
    this.#records = new Map(records)
    this.#revisions = new Map(revisions)
    this.#late = []
  }

  arriveLate(): void {
    for (const push of this.#late.splice(0)) push()
  }

  at(stationId: string): Pick<Hub, 'epoch' | 'log'> {
    const log: HubLog = {
      push: async (topic, known, records) => {
        const { fault, beforePush } = this
        this.beforePush = undefined
        await beforePush?.()
        const push = () => this.#push(stationId, topic, known, records)
        if (fault === 'late') this.#late.push(push)
        if (fault === 'no-answer' || fault === 'late') return undefined
        const pushed = push()
        return fault === 'lost-answer' ? undefined : pushed
      },
      since: (topic, revision) => {
        if (this.fault === 'no-answer') return Promise.resolve(undefined)
        const records = [...this.#records.entries()]
          .filter(([name, one]) => name.startsWith(`${topic} `) && one.revision > revision)
          .map(([, one]) => one)
        return Promise.resolve({
          ...{ hubId: this.#id, revision: this.#revisions.get(topic) ?? 0, hasMore: false },
          records: records.toSorted((one, other) => one.revision - other.revision),
        })
      },
    }
    return { log, epoch: () => Promise.resolve(this.fault === 'no-answer' ? undefined : ++this.#epoch) }
  }

  #push(
    stationId: string,
    topic: string,
    known: { upTo: number; epoch: number },
    records: Pick<LogRecord, 'key' | 'body'>[],
  ) {
    const revision = (this.#revisions.get(topic) ?? 0) + 1
    this.#revisions.set(topic, revision)
    const pushed = new Set<string>()
    for (const { key, body } of records) {
      const before = this.#records.get(`${topic} ${key}`)
      const isNewer =
        before?.stationId === stationId ? before.epoch < known.epoch : (before?.revision ?? 0) <= known.upTo
      if (!isNewer) continue
      this.#records.set(`${topic} ${key}`, { key, body, stationId, at: revision, epoch: known.epoch, revision })
      pushed.add(key)
      if (topic === 'settings') this.settings.add(valueOf(body))
    }
    return pushed
  }
}

/** Of a setting as it is pushed. */
const valueOf = (body: string) => z.object({ value: z.number() }).parse(JSON.parse(body)).value
