import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lint } from '../../../scripts/openapi'
import { examplePlaces, openApiDocument } from '../../../src-practice/openapi/document'
import { answerExamples } from '../../../src-practice/openapi/examples/answers'
import { refusalExamples } from '../../../src-practice/openapi/refusals'
import { requestExamples } from '../../../src-practice/openapi/examples/requests'
import { operations } from '../../../src-practice/openapi/operations'
import type { PracticeService } from '../../../src-practice/start'
import { start } from '../practice/practice'
import { nameless, servedEndpoints } from './app-routes'

const document = openApiDocument(examplePlaces)
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((key) => key !== 'servers')
    .map((method) => nameless(method, path)),
)

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countertag-openapi-'))
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    expect(await lint(file)).toBe('')
    writeFileSync(file, JSON.stringify({ ...document, info: {} }))
    expect(await lint(file)).toContain('title')
    rmSync(folder, { recursive: true })
  })

  it('has every endpoint that the service serves, and no other', () => {
    expect([...described].sort()).toEqual(servedEndpoints())
  })

  it('has an example for every body, and every example is what its schema says', () => {
    for (const { name, endpoint, hasBody, hasAnswer } of operations) {
      if (hasBody) expect(endpoint.request.safeParse(requestExamples[name]).error, `request of ${name}`).toBeUndefined()
      if (!hasAnswer) continue
      expect(endpoint.answer.safeParse(answerExamples[name]).error, `answer of ${name}`).toBeUndefined()
    }
    for (const [schema, { name, value }] of refusalExamples) expect(schema.safeParse(value).success, name).toBe(true)
  })

  it('says of every endpoint that 401 has no body, and of every 400 what its body is', () => {
    expect(document.components.responses.Unauthorized?.content).toBeUndefined()
    for (const methods of Object.values(document.paths)) {
      for (const one of Object.values(methods)) {
        if (Array.isArray(one)) continue
        expect(Object.keys(one.responses)).toContain('401')
      }
    }
  })
})

describe('the service', () => {
  let service: PracticeService
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.close())

  it('serves the document with its own addresses', async () => {
    const response = await fetch(`${service.baseUrl}/openapi.json`)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(await response.json()).toEqual(
      JSON.parse(JSON.stringify(openApiDocument({ baseUrl: service.baseUrl, authUrl: service.authUrl }))),
    )
  })

  it('leads from /docs to the document', async () => {
    const response = await fetch(`${service.baseUrl}/docs`, { redirect: 'manual' })
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/openapi.json'])
  })

  it('refuses to be written to there', async () => {
    for (const path of ['/docs', '/openapi.json']) {
      expect((await fetch(`${service.baseUrl}${path}`, { method: 'POST' })).status).toBe(405)
    }
  })
})
