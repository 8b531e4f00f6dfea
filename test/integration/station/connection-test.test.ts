import { createServer as createPlain } from 'node:http'
import { createServer } from 'node:https'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ProfileForm } from '../../../src-shared/ipc/contract/station'
import { selfSigned } from '../../fixtures/certificate'
import { type Shop, openShop } from './shop'

/** A port of this computer that no program listens on. */
const closed = 'http://127.0.0.1:9'

describe('the test of a connection', { timeout: 60_000 }, () => {
  let shop: Shop
  beforeEach(async () => {
    shop = await openShop()
  })
  afterEach(async () => {
    await shop.close()
  })
  const trouble = async (different: Partial<ProfileForm>) => {
    const id = await shop.setUp({ name: 'Tried', ...different })
    return (await shop.test(id)).filter((one) => one.includes('failed'))
  }

  it('tells a wrong service address from a wrong sign-in address', async () => {
    expect(await trouble({ baseUrl: closed })).toEqual(['address failed connection/address refused'])
    expect(await trouble({ baseUrl: 'https://service.invalid' })).toEqual(['address failed connection/address name'])
    expect(await trouble({ baseUrl: `${shop.service.baseUrl}/elsewhere` })).toEqual([
      'address failed connection/address server',
    ])
    expect(await trouble({ retailAuthUrl: closed })).toEqual(['sign-in-retail failed connection/address refused'])
    expect(await trouble({ retailAuthUrl: shop.service.baseUrl })).toEqual([
      'sign-in-retail failed connection/address server',
    ])
  })

  it('names a certificate that is not trusted', async () => {
    const day = 86_400_000
    const from = new Date(Date.now() - day)
    const certificate = selfSigned({ address: '127.0.0.1', from, to: new Date(Date.now() + day) })
    const server = createServer(certificate)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    try {
      const { port } = z.object({ port: z.number() }).parse(server.address())
      expect(await trouble({ baseUrl: `https://127.0.0.1:${port}` })).toEqual([
        'certificate failed service/not-trusted issuer',
      ])
    } finally {
      server.close()
    }
  })

  it('tells refused credentials from missing rights', async () => {
    const id = await shop.setUp()
    const credentials = { ...shop.credentials, clientSecret: 'another' }
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials })
    expect(await shop.test(id)).toEqual([
      'address passed',
      'sign-in-retail passed',
      'account-retail failed service/credentials-refused',
      'rights-retail skipped',
      'clock skipped',
    ])
    expect(shop.steps.find(({ step }) => step === 'account-retail')?.took).toBeNull()
    await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
    const strict = createPlain(({ headers }, response) => {
      response
        .writeHead(headers.authorization === undefined ? 401 : 403, { 'content-type': 'application/json' })
        .end('{}')
    })
    await new Promise<void>((listening) => strict.listen(0, '127.0.0.1', listening))
    try {
      const { port } = z.object({ port: z.number() }).parse(strict.address())
      expect(await trouble({ baseUrl: `http://127.0.0.1:${port}` })).toEqual(['rights-retail failed service/forbidden'])
    } finally {
      strict.close()
    }
  })

  it('tells each account from that of the other product, where one sign-in address serves both', async () => {
    const sourcingAuthUrl = shop.service.authUrl
    const id = await shop.setUp({ sourcingAuthUrl })
    const sign = (product: 'retail' | 'sourcing', of: 'retail' | 'sourcing') =>
      shop.ask('profile.setCredentials', { id, product, credentials: shop.credentialsOf(of), isSameStore: true })
    const rights = async () => (await shop.test(id)).filter((step) => step.startsWith('rights'))
    await sign('sourcing', 'sourcing')
    expect(await rights()).toEqual(['rights-retail passed', 'rights-sourcing passed'])
    await sign('retail', 'sourcing')
    expect(await rights()).toEqual(['rights-retail failed service/forbidden', 'rights-sourcing passed'])
    await sign('retail', 'retail')
    await sign('sourcing', 'retail')
    expect(await rights()).toEqual(['rights-retail passed', 'rights-sourcing failed service/forbidden'])
    // The account that works is tested although the other one can't sign in.
    await shop.ask('profile.forgetCredentials', { id, product: 'sourcing' })
    expect(await rights()).toEqual(['rights-retail passed', 'rights-sourcing skipped'])
    expect(await shop.knobs.transactions()).toEqual([])
  })

  it('tests a sign-in address that was entered with its /o/token/, which is cut off', async () => {
    const { authUrl } = shop.service
    expect(await trouble({ retailAuthUrl: `${authUrl}/o/token/` })).toEqual([])
    for (const path of ['/o/token', '/o/token/', '/o/token//']) {
      const { retailAuthUrl } = ProfileForm.parse(shop.form({ retailAuthUrl: `${authUrl}${path}` }))
      expect(retailAuthUrl).toBe(authUrl)
    }
  })
})
