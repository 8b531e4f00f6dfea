import { request } from 'undici'
import { startPracticeService } from '../../src-practice/start'
import { openStore } from '../../src-practice/store/open'
import type { LoadRequest } from './load'

/** Adds up the time that statements of this process take, in ms: each of them passes here from the first call on. */
function watchStatements(db: string): { taken(): number } {
  const store = openStore(db, undefined)
  const statement: unknown = Object.getPrototypeOf(store.prepare('SELECT 1'))
  store.close()
  if (typeof statement !== 'object' || statement === null) throw new Error('better-sqlite3 has no class of statements')
  let sum = 0
  for (const name of ['all', 'get', 'run']) {
    const real: unknown = Reflect.get(statement, name)
    if (typeof real !== 'function') throw new Error(`A statement has no ${name}`)
    Reflect.set(statement, name, function (this: unknown, ...values: unknown[]): unknown {
      const from = performance.now()
      try {
        const answer: unknown = Reflect.apply(real, this, values)
        return answer
      } finally {
        sum += performance.now() - from
      }
    })
  }
  return { taken: () => sum }
}

const warmUp = 100
const measured = 300

/**
 * How many requests of a kind SQLite could answer in a second if everything else took no time: the statements of the
 * service are timed while it answers them, one request after the other, in this process.
 */
export async function startSqliteAlone(db: string) {
  const statements = watchStatements(db)
  const service = await startPracticeService({ db, data: undefined, port: 0, picturesDir: undefined })
  const ask = async ({ path, ...rest }: LoadRequest) => {
    const { body } = await request(service.baseUrl + path, rest)
    await body.dump({ limit: 10_000_000 })
  }
  return {
    baseUrl: service.baseUrl,
    async perSecond(next: (n: number) => LoadRequest | undefined): Promise<number> {
      let before = 0
      let asked = 0
      for (let n = 0; n < warmUp + measured; n++) {
        if (n === warmUp) {
          before = statements.taken()
          asked = 0
        }
        const one = next(n)
        if (one === undefined) break
        await ask(one)
        asked += 1
      }
      return (asked * 1_000) / (statements.taken() - before)
    },
    close: () => service.close(),
  }
}
