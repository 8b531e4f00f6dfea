import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { silentLog } from '../../../../src-main/core/log'
import { startTraining } from '../../../../src-main/practice/training'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'

let folder: string
let resourcesDir: string
const { db } = openStore(':memory:')
const settings = createSettings(db, silentLog)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'training-'))
  resourcesDir = join(folder, 'resources')
  cpSync(join(import.meta.dirname, '../../../../resources/practice'), join(resourcesDir, 'practice'), {
    recursive: true,
  })
  return () => {
    rmSync(folder, { recursive: true })
  }
})

const start = () => startTraining({ folder, resourcesDir, settings })

/** Breaks one list of the practice store. */
function spoil(list: string): void {
  const file = join(resourcesDir, 'practice', 'store.json')
  const data: unknown = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...Object(data), [list]: 'gone' }))
}

it('reads the whole practice store only for an empty database', async () => {
  const first = await start()
  expect(first.codes()).not.toEqual([])
  await first.close()

  spoil('products')
  const second = await start()
  expect(second.accounts).toEqual(first.accounts)
  expect(() => second.codes()).toThrow("The practice store can't be used: products")
  await second.close()
})

it.each(['products', 'accounts'])('says what is wrong with the %s of a practice store that it needs', async (list) => {
  spoil(list)
  await expect(start()).rejects.toMatchObject({ code: 'practice/unusable' })
})
