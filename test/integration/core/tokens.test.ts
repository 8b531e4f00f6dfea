import { afterEach, describe, expect, it } from 'vitest'
import { ok } from '../../../src-shared/result'
import type { AuthUrls } from '../../../src-main/credentials/profile'
import type { Credentials } from '../../../src-main/credentials/store'
import { itemV12, itemV15, long, short } from '../../fixtures/wire'
import { tag } from '../../fakes/ids'
import { type OddService, json, startOddService } from './odd-service'

const accounts: Credentials = {
  read: (product) => Promise.resolve(ok({ clientId: `${product}-id`, clientSecret: `${product}-secret` })),
}

describe('the tokens of the two products', () => {
  let service: OddService | undefined
  afterEach(async () => {
    await service?.close()
    service = undefined
  })

  /** A service that gives each client id a token with its name, and refuses the tokens in `refused`. */
  const start = async (authUrls: (baseUrl: string) => AuthUrls, credentials = accounts, refused: string[] = []) => {
    const tokens: string[] = []
    service = await startOddService(
      (path, authorization, body) => {
        if (path.endsWith('/o/token/')) {
          const client = new URLSearchParams(body).get('client_id') ?? ''
          tokens.push(`${path} ${client}`)
          return json({ access_token: `${client}-${tokens.length}`, token_type: 'Bearer', expires_in: 36_000 })
        }
        if (refused.includes(authorization)) return { status: 401 }
        return json(path.includes('v1.5') ? itemV15(long) : itemV12(short), 200)
      },
      { authUrls, credentials },
    )
    const { client } = service
    const both = async () => [(await client.v12.items.get(tag(1))).ok, (await client.v15.items.get(tag(1))).ok]
    return { tokens, both, client }
  }

  it('are those of retail for v1.2 and those of sourcing for v1.5, each from its own URL', async () => {
    const { tokens, both } = await start((base) => ({ retail: `${base}/r`, sourcing: `${base}/s` }))
    expect(await both()).toEqual([true, true])
    expect(await both()).toEqual([true, true])
    expect(tokens).toEqual(['/r/o/token/ retail-id', '/s/o/token/ sourcing-id'])
  })

  it.each([
    ['retail', (base: string): AuthUrls => ({ retail: base })],
    ['sourcing', (base: string): AuthUrls => ({ sourcing: base })],
  ])('are shared if the only account is %s', async (product, authUrls) => {
    const { tokens, both } = await start(authUrls)
    expect(await both()).toEqual([true, true])
    expect(tokens).toEqual([`/o/token/ ${product}-id`])
  })

  it('do not mix: a refused sourcing token is renewed without touching the retail token', async () => {
    const { tokens, both } = await start((base) => ({ retail: base, sourcing: base }), accounts, [
      'Bearer sourcing-id-2',
    ])
    expect(await both()).toEqual([true, true])
    expect(await both()).toEqual([true, true])
    expect(tokens).toEqual(['/o/token/ retail-id', '/o/token/ sourcing-id', '/o/token/ sourcing-id'])
  })

  it('are requested separately: a product without credentials fails with that reason, and the other works', async () => {
    const retailOnly: Credentials = {
      read: (product, authUrl) => (product === 'retail' ? accounts.read(product, authUrl) : Promise.resolve(ok(null))),
    }
    const { both, client } = await start((base) => ({ retail: base, sourcing: base }), retailOnly)
    expect(await both()).toEqual([true, false])
    expect(await client.v15.items.get(tag(1))).toEqual({ ok: false, error: { code: 'service/credentials-missing' } })
  })

  it('are requested once for simultaneous calls of both versions', async () => {
    const { tokens, both } = await start((base) => ({ retail: base }))
    await Promise.all([both(), both(), both()])
    expect(tokens).toHaveLength(1)
  })
})
