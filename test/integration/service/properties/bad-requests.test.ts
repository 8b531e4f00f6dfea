import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Agent, request } from 'undici'
import { operations } from '../../../../src-practice/openapi/operations'
import { refusals, refusalsOf } from '../../../../src-practice/openapi/refusals'
import { DetailRefusal, FieldsRefusal } from '../../../../src-shared/service/refusals'
import { tokenOf } from '../../practice/practice'
import { made } from '../values'
import { type World, accounts, openWorld } from '../world'
import { type BadRequest, badRequest, methods } from './bad-requests'
import { watchedDatabase } from './database'

const runs = 3_000
const forms = 300

describe('whatever is sent to any endpoint with any method', () => {
  const database = watchedDatabase()
  const agent = new Agent({ connections: 4 })
  const tokens = new Map<string, string>()
  let world: World
  beforeAll(async () => {
    world = await openWorld(database.file)
    for (const name of accounts) tokens.set(name, await tokenOf(world.service, name))
  })
  afterAll(async () => {
    await world.close()
    await agent.close()
    database.close()
  })

  async function send({ flaw, method, path, as, body }: BadRequest) {
    const { statusCode, body: answer } = await request(`${world.service.baseUrl}${path}`, {
      dispatcher: agent,
      method,
      headers: {
        'content-type': flaw === 'type' ? 'text/plain' : 'application/json',
        ...(flaw === 'token' ? {} : { authorization: `Bearer ${tokens.get(as) ?? ''}` }),
      },
      // A GET has no body here: what it says of one, HTTP leaves open.
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: statusCode, json }
  }

  /** Whether an answer is one that the OpenAPI document has for this endpoint. */
  function isDocumented({ name, flaw }: BadRequest, status: number, json: unknown): boolean {
    // Under another method the path may be that of another endpoint, where nothing is to be found.
    if (flaw === 'method' && [400, 403, 404].includes(status)) {
      return [DetailRefusal, FieldsRefusal].some((body) => body.safeParse(json).success)
    }
    const operation = operations.find((one) => one.name === name)
    const documented = operation && refusalsOf(operation).get(status)
    if (documented === undefined) return false
    const { bodies } = refusals[documented]
    return bodies.length === 0 ? json === undefined : bodies.some((body) => body.safeParse(json).success)
  }

  it(`is answered with a documented 4xx and changes nothing: ${runs} bad requests`, async () => {
    const before = database.dump()
    const version = database.version()
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(badRequest, async (bad) => {
        const { status, json } = await send(bad)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(isDocumented(bad, status, json), `${status} ${JSON.stringify(json)}`).toBe(true)
        expect(database.version()).toBe(version)
      }),
      { numRuns: runs },
    )
    expect(database.dump()).toBe(before)
    // And a good request would have been seen.
    await made(world.maker.v15.batches.create({ name: 'Good' }))
    expect(database.version()).not.toBe(version)
    expect(database.dump()).not.toBe(before)
    // The flaws were met, each at its own check, and not all at the first.
    for (const status of [400, 401, 403, 404, 405, 415])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(30)
  })

  it(`gets no token: ${forms} bad token requests`, async () => {
    const version = database.version()
    const form = fc.dictionary(fc.constantFrom('grant_type', 'client_id', 'client_secret', 'scope'), fc.string())
    const type = fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain', '')
    await fc.assert(
      fc.asyncProperty(form, type, fc.constantFrom(...methods), async (fields, contentType, method) => {
        const { statusCode, body } = await request(`${world.service.authUrl}/o/token/`, {
          dispatcher: agent,
          method,
          headers: contentType === '' ? {} : { 'content-type': contentType },
          ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
        })
        await body.dump()
        expect(method === 'POST' ? [400, 401] : [405]).toContain(statusCode)
        expect(database.version()).toBe(version)
      }),
      { numRuns: forms },
    )
  })
})
