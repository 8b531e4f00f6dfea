import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backupName } from '../../../../src-main/database/backup-copy'
import { openStore } from '../../../../src-main/database/open'
import { breakFirstPage, destroy } from './salvage-steps'
import { type Shop, codeOf, openShop, put, sale } from './shop'

describe('replacing a damaged database', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it('is reported until a person acknowledges it, and each damaged file is set aside under a separate name', () => {
    shop.open().store.close()
    for (let n = 0; n < 3; n++) {
      destroy(shop)
      const { store } = shop.open()
      expect(store.salvage()?.setAside).toMatch(/^countertag\.db\.damaged-20261121T140000Z(-[23])?$/)
      store.close()
    }
    const { store } = shop.open()
    expect(store.salvage()).not.toBeNull()
    store.acknowledgeSalvage()
    expect(store.salvage()).toBeNull()
    store.close()
    const again = openStore(shop.file)
    expect(again.salvage()).toBeNull()
    again.close()
    const aside = shop.names().filter((name) => name.includes('damaged'))
    expect(aside).toEqual([
      'countertag.db.damaged-20261121T140000Z',
      'countertag.db.damaged-20261121T140000Z-2',
      'countertag.db.damaged-20261121T140000Z-3',
    ])
    for (const name of aside) expect(readFileSync(join(shop.folder, name), 'utf8')).toBe('x'.repeat(10_000))
  })

  it('changes nothing if nothing can be salvaged, and reports that', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    // Its commit writes the pages of the first one again, of which frames are lost with the log's header.
    put(outbox, sale(2))
    const cut = shop.powerCut()
    store.close()
    const bytes = readFileSync(`${cut.file}-wal`)
    bytes.fill(0x5a, 0, 100)
    writeFileSync(`${cut.file}-wal`, bytes)
    // The new database can't be made: here because of an unreadable backup folder.
    mkdirSync(join(cut.folder, 'backups'))
    mkdirSync(join(cut.folder, 'backups', backupName(0)))
    const file = readFileSync(cut.file)
    expect(codeOf(() => openStore(cut.file))).toBe('store/damaged')
    expect(readFileSync(cut.file).equals(file)).toBe(true)
    expect(readFileSync(`${cut.file}-wal`).equals(bytes)).toBe(true)
    expect(cut.names().filter((name) => name.includes('damaged') || name === 'salvage')).toEqual([])
    // The next start tries again.
    rmSync(join(cut.folder, 'backups'), { recursive: true })
    const after = cut.open()
    expect(after.store.salvage()).toMatchObject({ operations: 2 })
    after.store.close()
    cut.remove()
  })

  describe('after a crash', () => {
    const aside = () => `${shop.file}.damaged-20261121T140000Z`
    /** Puts a salvaged database next to the remains of an interrupted replacement. */
    const interrupted = (left: (salvaged: string) => void) => {
      const { store, outbox } = shop.open()
      put(outbox, sale(1))
      store.close()
      breakFirstPage(shop)
      const damaged = readFileSync(shop.file)
      shop.open().store.close()
      const made = join(shop.folder, 'made')
      renameSync(shop.file, made)
      rmSync(`${shop.file}.last-end`)
      renameSync(aside(), shop.file)
      writeFileSync(`${shop.file}-wal`, 'the log')
      left(made)
      const after = shop.open()
      expect(after.store.salvage()).toMatchObject({
        operations: 1,
        lost: 0,
        setAside: 'countertag.db.damaged-20261121T140000Z',
      })
      expect(after.outbox.read.counts().unsent).toBe(1)
      after.store.close()
      expect(readFileSync(aside()).equals(damaged)).toBe(true)
      expect(shop.names()).toEqual([
        'countertag.db',
        'countertag.db.damaged-20261121T140000Z',
        'countertag.db.damaged-20261121T140000Z-wal',
        'countertag.db.last-end',
        'countertag.db.lock',
      ])
      expect(readFileSync(`${aside()}-wal`, 'utf8')).toBe('the log')
    }

    it('before the damaged file was set aside is completed', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
      })
    })
    it('between copying the log and emptying it is completed', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
        writeFileSync(`${aside()}-wal`, 'the l')
      })
    })
    it('after the log was emptied is completed', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
        copyFileSync(`${shop.file}-wal`, `${aside()}-wal`)
        writeFileSync(`${shop.file}-wal`, '')
      })
    })
    it('after the damaged file was set aside is completed', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
        renameSync(shop.file, aside())
      })
    })

    it('before the new database was finished starts over', () => {
      const { store, outbox } = shop.open()
      put(outbox, sale(1))
      store.close()
      breakFirstPage(shop)
      mkdirSync(join(shop.folder, 'salvage'))
      writeFileSync(join(shop.folder, 'salvage', 'new.db'), 'half of it')
      const after = shop.open()
      expect(after.store.salvage()).toMatchObject({ operations: 1 })
      expect(existsSync(join(shop.folder, 'salvage'))).toBe(false)
      after.store.close()
    })
  })
})
