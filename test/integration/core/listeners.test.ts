import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compose } from '../../../src-main/app/compose'
import { fakeScanners } from '../../fakes/hid-layer'

const root = join(import.meta.dirname, '../../..')

/** The table of ARCHITECTURE.md: each event with its listeners, in order. */
function documented(): Record<string, string[]> {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, after = ''] = text.split('## Who listens to what')
  const rows = [...(after.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z-]+\.[A-Za-z-]+)` +\| (.*?) +\|$/gm)]
  return Object.fromEntries(rows.map(([, name = '', who = '']) => [name, who.replaceAll('`', '').split(', ')]))
}

/** Who listens in a station that shares a store; neither its service nor its hub ever answers. */
async function listeners(): Promise<Record<string, string[]>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-'))
  const app = await compose({
    dataDir,
    resourcesDir: join(root, 'resources'),
    version: '0.0.0-test',
    scanners: fakeScanners().layer,
    realProfile: {
      id: 'listeners',
      profile: {
        ...{ kind: 'test', name: 'Test', baseUrl: 'http://127.0.0.1:1', authUrls: { retail: 'http://127.0.0.1:1' } },
        ...{ dispensaryId: null, sendsSku: false, caFile: null },
      },
    },
    hub: {
      stationId: '6d1ea5b5-0000-4000-8000-000000000001',
      joined: {
        ...{ host: '127.0.0.1', port: 1, database: 'countertag', user: 'station', certificate: null },
        ...{ storeId: '6d1ea5b5-0000-4000-8000-000000000002', stationName: 'Till 1', policy: 'warn' },
      },
      secret: () => Promise.resolve(null),
    },
  })
  try {
    return app.listeners()
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true })
  }
}

describe('the events of main', () => {
  it('have the listeners that ARCHITECTURE.md lists, in this order', async () => {
    const found = await listeners()
    expect(documented()).toEqual(found)
  })

  it('name the files that listen', async () => {
    for (const [event, files] of Object.entries(await listeners())) {
      for (const file of files) {
        const text = readFileSync(join(root, 'src-main', file), 'utf8')
        expect([event, file, text.includes(`'${file}'`)]).toEqual([event, file, true])
      }
    }
  })
})
