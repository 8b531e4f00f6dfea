import { copyFileSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppStartError } from '../../../src-main/database/start-error'
import { openShop } from './shop'

describe('a station whose data is gone', () => {
  let shop: Awaited<ReturnType<typeof openShop>>
  let folder: string
  beforeEach(async () => {
    shop = await openShop()
    const id = await shop.setUp()
    await shop.ask('profile.use', { id })
    folder = join(shop.dataDir, id)
    await shop.knobs.setFaults({ offline: true })
    const [a = '', b = ''] = shop.sellable(2)
    await shop.sell('1', [a])
    await shop.sell('2', [b])
  })
  afterEach(() => shop.close())

  const said = async () => {
    const { warnings, store, unsent } = await shop.ask('app.status', undefined)
    return { isSaid: warnings.includes('data-salvaged'), salvage: store.salvage, unsent }
  }

  it('says nothing while all is there', async () => {
    await shop.restart()
    expect(await said()).toEqual({ isSaid: false, salvage: null, unsent: 2 })
  })

  it('names the reports of a folder that is gone', async () => {
    await shop.restart(() => {
      rmSync(folder, { recursive: true })
    })
    expect(await said()).toMatchObject({
      ...{ isSaid: true, unsent: 0 },
      salvage: { setAside: '', loss: { kind: 'gone', missing: 2, unsent: 2, folder } },
    })
  })

  it('says that a folder is gone of which nothing was noted', async () => {
    await shop.restart(() => {
      rmSync(folder, { recursive: true })
      rmSync(`${folder}.in-use.json`)
    })
    expect(await said()).toMatchObject({ isSaid: true, salvage: { loss: { kind: 'gone', missing: null } } })
  })

  it('names the reports of a database of 0 bytes', async () => {
    await shop.restart(() => {
      for (const name of readdirSync(folder)) {
        if (name === 'countertag.db') truncateSync(join(folder, name))
        else rmSync(join(folder, name), { recursive: true })
      }
    })
    expect(await said()).toMatchObject({ isSaid: true, salvage: { loss: { kind: 'gone', missing: 2, unsent: 2 } } })
  })

  it('takes what it can from the newest backup if the database alone is gone', async () => {
    await shop.restart(() => {
      rmSync(join(folder, 'countertag.db'))
    })
    expect(await said()).toMatchObject({ isSaid: true, unsent: 2, salvage: { fromBackup: 2 } })
  })

  it('names what an older copy of the database lacks', async () => {
    const kept = join(shop.dataDir, 'copy.db')
    await shop.restart(() => {
      copyFileSync(join(folder, 'countertag.db'), kept)
    })
    await shop.sell('3', shop.sellable(3).slice(0, 1))
    const putBack = () => {
      copyFileSync(kept, join(folder, 'countertag.db'))
      for (const name of readdirSync(folder)) if (name === 'backups') rmSync(join(folder, name), { recursive: true })
    }
    await shop.restart(putBack)
    expect(await said()).toMatchObject({
      ...{ isSaid: true, unsent: 2 },
      salvage: { isDamaged: false, fromBackup: 0, loss: { kind: 'older', missing: 1, unsent: 3 } },
    })
  })

  it('never takes a sale for refused that newer data than a copy had reported, and adds what the newest backup has', async () => {
    const kept = join(shop.dataDir, 'copy.db')
    await shop.restart(() => {
      copyFileSync(join(folder, 'countertag.db'), kept)
    })
    await shop.knobs.setFaults({})
    await shop.sell('3', shop.sellable(3).slice(0, 1))
    await shop.ask('outbox.sendNow', undefined)
    await shop.until(({ unsent }) => unsent === 0)
    await shop.restart(() => {
      copyFileSync(kept, join(folder, 'countertag.db'))
    })
    expect(await said()).toMatchObject({
      isSaid: true,
      salvage: { isDamaged: false, fromBackup: 1, loss: { kind: 'older', missing: 0 } },
    })
    await shop.until(({ unsent }) => unsent === 0)
    expect((await shop.ask('app.status', undefined)).attention).toBe(0)
    const { operations } = await shop.ask('outbox.list', { show: 'recent' })
    expect(operations.map(({ orderId, state }) => `${orderId ?? ''} ${state}`)).toEqual([
      '3 accepted',
      '2 accepted',
      '1 accepted',
    ])
  })

  it('does not start in practice if its settings are gone as well', async () => {
    await shop.station.close()
    for (const name of ['station.json', 'station.json.last']) rmSync(join(shop.dataDir, name))
    rmSync(folder, { recursive: true })
    const code = await shop.restart().then(
      () => undefined,
      (cause: unknown) => (cause instanceof AppStartError ? cause.code : cause),
    )
    expect(code).toBe('station/damaged')
  })
})
