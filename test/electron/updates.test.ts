import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdateInfo } from 'electron-updater'
import { describe, expect, it, vi } from 'vitest'
import { signUpdates } from '../../scripts/package/sign-updates'
import { type UpdatesParts, createUpdates, isSignedUpdate, signUpdate } from '../../src-main/electron/updates'
import { silentLog } from '../../src-main/core/log'
import { UpdateOffer } from '../../src-main/station/till'
import type { UpdateView } from '../../src-shared/ipc/contract/app'
import { FakeUpdater } from '../fakes/updater'
import { newFolder, openCountertag } from './countertag'
import { answerLateRequires, bePackaged } from './platform'

const keys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
const own = keys()

const description = (version = '0.2.0') => ({
  version,
  files: [{ url: `countertag-${version}.exe`, sha512: 'c2hhNTEy', size: 120_000_000 }],
  path: `countertag-${version}.exe`,
  sha512: 'c2hhNTEy',
  releaseDate: '2026-11-21T12:00:00.000Z',
})
const signed = (version?: string, key = own.privateKey): UpdateInfo => {
  const plain = description(version)
  return Object.assign(plain, { signature: signUpdate(plain, key) })
}

const raise = (message: string): never => {
  throw new Error(message)
}

/** A till with an updater; the state that a test may change while it runs, and a record of what happened. */
function till(policy: NonNullable<UpdatesParts['policy']> = {}) {
  const updater = new FakeUpdater()
  const shown: UpdateView[] = []
  const offer = new UpdateOffer((view) => shown.push(view))
  const world = { sending: 0, updater, offer, shown, restarts: 0 }
  const updates = createUpdates({
    updater,
    policy,
    publicKey: own.publicKey,
    sending: () => world.sending,
    offer,
    close: (graceMs) => {
      updater.history.push(`close in ${graceMs}`)
      return Promise.resolve()
    },
    makeWay: () => {
      updater.history.push('make way')
    },
    restart: () => {
      world.restarts += 1
    },
    log: silentLog,
  })
  return Object.assign(world, { updates })
}

describe('an update', () => {
  it('comes from the address that IT set, and never goes back to an older version', () => {
    expect(till().updater).toMatchObject({
      channel: null,
      feed: undefined,
      allowDowngrade: false,
      allowPrerelease: false,
    })
    const { updater } = till({ channel: 'beta', url: 'https://updates.example/' })
    expect(updater).toMatchObject({
      channel: 'beta',
      feed: 'https://updates.example/',
      allowDowngrade: false,
      allowPrerelease: true,
    })
  })

  it('is downloaded automatically, offered in the page, and installed after a person agreed and the core has closed', async () => {
    const { updater, updates, offer, shown } = till()
    updater.offered = signed()
    await updates.check()
    await updates.consider()
    expect(updater.history).toEqual(['check', 'download 0.2.0'])
    expect(shown).toEqual([{ version: '0.2.0', isAgreed: false }])
    expect(offer.agree('0.2.0')).toEqual({ version: '0.2.0', isAgreed: true })
    await updates.consider()
    // A report claimed at that very moment is waited for as well, however slow the service is.
    expect(updater.history.slice(2)).toEqual(['close in Infinity', 'make way', 'install silently and start'])
    await updates.consider()
    await updates.check()
    expect(updater.history).toHaveLength(5)
  })

  it('ignores agreement from a page that shows another update, or none', async () => {
    const { updater, updates, offer } = till()
    expect(offer.agree('0.2.0')).toEqual({ version: null, isAgreed: false })
    updater.offered = signed()
    await updates.check()
    expect(offer.agree('0.1.9')).toEqual({ version: '0.2.0', isAgreed: false })
    await updates.consider()
    expect(updater.history).not.toContain('close in Infinity')
  })

  it('is never installed by quitting, never older, never a pre-release', () => {
    const { autoDownload, autoInstallOnAppQuit, allowDowngrade, allowPrerelease } = till().updater
    expect({ autoDownload, autoInstallOnAppQuit, allowDowngrade, allowPrerelease }).toEqual({
      autoDownload: true,
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
      allowPrerelease: false,
    })
  })

  it('waits while operations are being sent, even after the person agreed', async () => {
    const world = till()
    world.updater.offered = signed()
    world.sending = 2
    await world.updates.check()
    world.offer.agree('0.2.0')
    await world.updates.consider()
    await world.updates.consider()
    expect(world.updater.history).not.toContain('close in Infinity')
    world.sending = 0
    await world.updates.consider()
    expect(world.updater.history.slice(2)).toEqual(['close in Infinity', 'make way', 'install silently and start'])
  })

  it('is postponed, not dropped, when the operations in flight are unknown', async () => {
    const world = till()
    world.updater.offered = signed()
    await world.updates.check()
    world.offer.agree('0.2.0')
    Object.defineProperty(world, 'sending', { get: () => raise('the store is closed'), configurable: true })
    await expect(world.updates.consider()).rejects.toThrow('the store is closed')
    expect(world.updater.history).not.toContain('close in Infinity')
    Object.defineProperty(world, 'sending', { value: 0 })
    await world.updates.consider()
    expect(world.updater.history.at(-1)).toBe('install silently and start')
  })

  it('stays on offer while the person has not answered, and is not downloaded again', async () => {
    const world = till()
    world.updater.offered = signed()
    await world.updates.check()
    for (let n = 0; n < 3; n++) await world.updates.consider()
    await world.updates.check()
    expect(world.updater.history).toEqual(['check', 'download 0.2.0'])
    expect(world.offer.view()).toEqual({ version: '0.2.0', isAgreed: false })
  })

  it('is looked for again when there is none or the server cannot be reached, with no other effect', async () => {
    const { updater, updates, ...world } = till()
    await updates.check()
    updater.fault = new Error('ENOTFOUND')
    await updates.check()
    await updates.consider()
    expect([updater.history, world.restarts]).toEqual([['check', 'check'], 0])
  })

  it('is ignored when it does not fit this system', async () => {
    const { updater, updates } = till()
    Object.assign(updater, { offered: signed(), fitsSystem: false })
    await updates.check()
    expect(updater.history).toEqual(['check'])
  })

  it.each(['throws', 'reports', 'does both'] as const)(
    'that cannot be installed (%s) leaves a till that starts again, once',
    async (how) => {
      const world = till()
      Object.assign(world.updater, { offered: signed(), installing: how })
      await world.updates.check()
      world.offer.agree('0.2.0')
      await world.updates.consider()
      expect(world.restarts).toBe(1)
      expect(world.offer.view().version).toBeNull()
    },
  )
})

describe('the signature of an update', () => {
  const { signature, ...plain } = { ...signed(), signature: signUpdate(description(), own.privateKey) }
  const file = description().files[0]

  it.each<[string, object]>([
    ['none', plain],
    ['an empty one', { ...plain, signature: '' }],
    ['one that is not text', { ...plain, signature: 42 }],
    ['one by another key', signed('0.2.0', keys().privateKey)],
    ['one of another version', { ...plain, signature: signUpdate(description('0.1.9'), own.privateKey) }],
    ['another hash of the download', { ...plain, signature, files: [{ ...file, sha512: 'b3RoZXI' }] }],
    [
      'another address of the download',
      { ...plain, signature, files: [{ ...file, url: 'https://evil.example/a.exe' }] },
    ],
    ['one more file', { ...plain, signature, files: [file, file] }],
    ['another hash in the old place', { ...plain, signature, sha512: 'b3RoZXI' }],
    ['a field added', { ...plain, signature, stagingPercentage: 100 }],
  ])('with %s: the update is refused before it is downloaded', async (_what, offered) => {
    const { updater, updates, offer } = till()
    updater.offered = Object.assign(description(), { signature: undefined }, offered)
    expect(isSignedUpdate(offered, own.publicKey)).toBe(false)
    await updates.check()
    expect([updater.history, offer.view().version]).toEqual([['check'], null])
  })

  it('is valid whatever the order of the fields', () => {
    const turned = Object.fromEntries(Object.entries(signed()).reverse())
    expect(isSignedUpdate(turned, own.publicKey)).toBe(true)
  })

  it.each(['', 'rubbish', Buffer.from('rubbish').toString('base64')])('is never valid when the key is %j', (key) => {
    expect(isSignedUpdate(signed(), key)).toBe(false)
  })

  it('is not accepted from a key of another type', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    expect(isSignedUpdate(signed(), key)).toBe(false)
  })

  it('is written into each latest*.yml, as the updater reads it', async () => {
    const folder = newFolder()
    const yaml = `version: 0.2.0\nfiles:\n  - url: a.AppImage\n    sha512: c2hhNTEy\n    size: 120000000\nreleaseDate: '2026-11-21T12:00:00.000Z'\n`
    writeFileSync(join(folder, 'latest-linux.yml'), yaml)
    writeFileSync(join(folder, 'builder-debug.yml'), yaml)
    expect(signUpdates(folder, own.privateKey, own.publicKey)).toEqual(['latest-linux.yml'])
    const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js')
    const read = (text: string) => parseUpdateInfo(text, 'latest-linux.yml', new URL('https://updates.example/'))
    const written = readFileSync(join(folder, 'latest-linux.yml'), 'utf8')
    expect(isSignedUpdate(read(written), own.publicKey)).toBe(true)
    expect(isSignedUpdate(read(written.replace('0.2.0', '0.3.0')), own.publicKey)).toBe(false)
    expect(readFileSync(join(folder, 'builder-debug.yml'), 'utf8')).toBe(yaml)
  })

  it('is not written with a key that the package does not know', () => {
    expect(() => signUpdates(newFolder(), keys().privateKey, own.publicKey)).toThrow('does not belong')
  })
})

describe('the host of updates', () => {
  const { publicKey } = own
  const inResources = () => {
    bePackaged()
  }
  /** Opens the packaged app with that package.json; returns its log up to a line with that text. */
  async function logOf(metadata: object, until: RegExp): Promise<string> {
    const [appPath, userData] = [newFolder(), newFolder()]
    writeFileSync(join(appPath, 'package.json'), JSON.stringify(metadata))
    inResources()
    const electron = await openCountertag({ isPackaged: true, appPath, userData })
    expect(electron.errorBoxes).toEqual([])
    const read = () => readFileSync(join(userData, 'practice/countertag.log'), 'utf8')
    await vi.waitUntil(() => until.test(read()), 10_000)
    return read()
  }

  it('starts the real, bundled updater in a package that was built with an update address', async () => {
    answerLateRequires()
    const log = await logOf({ updates: { publicKey } }, /updates are looked for|no updates/)
    expect(log).toContain('updates are looked for')
    expect(log).not.toContain('no updates')
  })

  it.each([[{}], [{ updates: {} }], [{ updates: { publicKey: 42 } }]])(
    'does nothing in a package with %j',
    async (metadata) => {
      expect(await logOf(metadata, /store opened/)).not.toMatch(/updates are looked for|no updates/)
    },
  )
})
