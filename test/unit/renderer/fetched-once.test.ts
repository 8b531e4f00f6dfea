import { describe, expect, it } from 'vitest'
import { fetchedOnce } from '../../../src-renderer/fetched-once'
import { turn } from './fake-wire'

/** A fetch that ends when the test says so. */
function create() {
  const fetches: { bring: (what: string) => void; fail: () => void }[] = []
  const fetched = fetchedOnce(
    () =>
      new Promise<string>((resolve, reject) => {
        fetches.push({
          bring: resolve,
          fail: () => {
            reject(new Error('no connection'))
          },
        })
      }),
  )
  const told: string[] = []
  const ask = (who: string) =>
    fetched().then(
      (what) => void told.push(`${who}: ${what}`),
      () => void told.push(`${who}: nothing`),
    )
  return { fetches, told, ask }
}

describe('what is fetched once', () => {
  it('is fetched for the first who asks, and comes to all in the order in which they asked', async () => {
    const { fetches, told, ask } = create()
    for (const who of ['first', 'second', 'third']) void ask(who)
    expect(fetches).toHaveLength(1)
    fetches[0]?.bring('screen')
    await turn()
    await ask('late')
    expect(told).toEqual(['first: screen', 'second: screen', 'third: screen', 'late: screen'])
    expect(fetches).toHaveLength(1)
  })

  it('is fetched anew after a failure, of which everybody who waited hears', async () => {
    const { fetches, told, ask } = create()
    for (const who of ['first', 'second']) void ask(who)
    fetches[0]?.fail()
    await turn()
    void ask('third')
    fetches[1]?.bring('screen')
    await turn()
    expect(told).toEqual(['first: nothing', 'second: nothing', 'third: screen'])
    expect(fetches).toHaveLength(2)
  })
})
