import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { HubAddress } from '../../src-main/hub/postgres/connections'
import { tag } from '../../test/fakes/ids'
import { joinHub } from '../../test/hub/station'

/** What a claim and the bare statement took, in ms, by turns on one server. */
export async function benchClaims(address: HubAddress, count: number): Promise<{ own: number[]; bare: number[] }> {
  const hub = await joinHub(address, 'Bench')
  const client = new pg.Client({ ...address, ssl: false })
  await client.connect()
  await client.query('CREATE TABLE bare (tag text PRIMARY KEY, station uuid NOT NULL)')
  const station = randomUUID()
  const bareOnce = (tagId: string) =>
    client.query({
      name: 'bare',
      text: 'INSERT INTO bare AS held VALUES ($1, $2) ON CONFLICT (tag) DO UPDATE SET station = excluded.station WHERE held.station = excluded.station RETURNING tag',
      values: [tagId, station],
    })
  const ownOnce = async (tagId: ReturnType<typeof tag>) => {
    const { kind } = await hub.claims.take({ tagId, kind: 'cart', orderId: null, at: 0 })
    if (kind !== 'granted') throw new Error(`a claim was ${kind}`)
  }
  const [own, bare]: [number[], number[]] = [[], []]
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    into.push(performance.now() - from)
  }
  const warmUp = 200
  for (let n = 0; n < count + warmUp; n++) {
    await timed(own, () => ownOnce(tag(n)))
    await timed(bare, () => bareOnce(tag(n)))
  }
  await client.end()
  await hub.close()
  return { own: own.slice(warmUp), bare: bare.slice(warmUp) }
}
