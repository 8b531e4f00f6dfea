import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readPresets } from '../../../../src-main/station/presets'

const root = join(import.meta.dirname, '../../../..')

/** The regions that a form offers with this file, and what the log says. */
function offered(written: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'connections'))
  writeFileSync(join(folder, 'connections', 'presets.json'), JSON.stringify(written))
  const warned: string[] = []
  const presets = readPresets(folder, { warn: (message) => warned.push(message) })
  return { names: presets.map(({ name }) => name), warned: warned.length }
}

it('offers only regions that fill in the addresses of the service and of a sign-in', () => {
  const baseUrl = 'https://service.test'
  const [retailAuthUrl, sourcingAuthUrl] = ['https://retail.test', 'https://brands.test']
  const presets = [
    { name: 'Empty' },
    { name: 'Without sign-in', baseUrl, retailAuthUrl: null },
    { name: 'Without service', retailAuthUrl },
    { name: 'Not https', baseUrl: 'http://service.test', retailAuthUrl },
    { name: 'Retail', baseUrl, retailAuthUrl },
    { name: 'Sourcing', baseUrl, sourcingAuthUrl, kind: 'production' },
  ]
  expect(offered({ presets })).toEqual({ names: ['Retail', 'Sourcing'], warned: 1 })
  expect(offered({ presets: presets.slice(4) })).toEqual({ names: ['Retail', 'Sourcing'], warned: 0 })
  expect(offered({ regions: [] })).toEqual({ names: [], warned: 1 })
})

it('comes with no region that would leave the form empty, and warns of none', () => {
  const warned: string[] = []
  expect(readPresets(join(root, 'resources'), { warn: (message) => warned.push(message) })).toEqual([])
  expect(warned).toEqual([])
})
