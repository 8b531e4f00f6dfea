import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { coverage, tableFile } from '../../../scripts/spec-coverage/table'
import { operations } from '../../../src-practice/openapi/operations'
import { endpointRows } from './rows/endpoints'

describe('the rows of the specification', () => {
  it('each have a test, and each test names one', async () => {
    const { uncovered, strange } = await coverage()
    expect(uncovered).toEqual([])
    expect(strange).toEqual([])
  })

  it('are listed in COVERAGE.md with their tests (npm run coverage:spec writes it)', async () => {
    expect((await coverage()).text === readFileSync(tableFile, 'utf8')).toBe(true)
  })

  it('have the endpoints that the client and the service share', () => {
    const shared = operations.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(Object.keys(endpointRows).sort()).toEqual(['POST {auth_url}/o/token/', ...shared].sort())
  })
})
