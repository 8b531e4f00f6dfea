import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFolder } from './countertag'
import { root } from './root'
import { type System, standInRuntime } from './stand-in'

/** A checkout with Electron's own installer but without the runtime, whatever the real checkout has. */
function checkout(installer?: string): string {
  const folder = newFolder()
  const [own, real] = [join(folder, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(own, 'electron'), { recursive: true })
  for (const name of ['package.json', 'checksums.json', 'install.js'])
    cpSync(join(real, 'electron', name), join(own, 'electron', name))
  if (installer !== undefined) writeFileSync(join(own, 'electron/install.js'), installer)
  for (const name of ['@electron', '@electron-internal']) symlinkSync(join(real, name), join(own, name), 'junction')
  for (const name of ['start', 'start.mjs', 'build.mjs', 'child.mjs', 'node-version.mjs'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name), { recursive: true })
  symlinkSync(join(root, 'out'), join(folder, 'out'), 'junction')
  return folder
}

/** A loopback server in place of Electron's, and its number of requests. */
async function mirror(answer?: string): Promise<{ address: string; asked: number; close(): Promise<void> }> {
  const asked = { address: '', asked: 0, close: () => Promise.resolve() }
  const server = createServer((socket) => {
    asked.asked++
    socket.on('error', () => undefined)
    if (answer !== undefined) socket.end(answer)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const closed = () =>
    new Promise<void>((done) => {
      server.close(() => done())
    })
  onTestFinished(() => void server.close())
  return Object.assign(asked, { address: `http://127.0.0.1:${address.port}/`, close: closed })
}

const refused = async () => {
  const server = await mirror()
  await server.close()
  return server.address
}

const environment = (env: Record<string, string>) => {
  const { CI: _ci, COUNTERTAG_NO_DOWNLOAD: _no, ELECTRON_OVERRIDE_DIST_PATH: _path, ...rest } = process.env
  // Its own cache folder, because the default cache belongs to the person.
  return { ...rest, electron_config_cache: newFolder(), ...env }
}

interface Asking {
  /** The checkout's folder. */
  folder: string
  env?: Record<string, string>
  /** True for `--download` and for packaging. */
  again?: boolean
  platform?: System
}

/** The result of `electronRuntime` in a separate process. */
async function ask({ folder, env = {}, again = false, platform }: Asking): Promise<{ found: unknown; said: string }> {
  const script = `
    ${platform ? `Object.defineProperty(process, 'platform', { value: '${platform}' })` : ''}
    const { electronRuntime } = await import('${pathToFileURL(join(root, 'scripts/start/runtime.mjs')).href}')
    console.log('found ' + JSON.stringify(await electronRuntime(process.argv[1], { again: ${again} })))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { env: environment(env) })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  await new Promise((ended) => child.once('close', ended))
  const found = /^found (.*)$/m.exec(said)?.[1]
  if (found === undefined) throw new Error(said)
  return { found: JSON.parse(found), said }
}

const memory = (folder: string) => join(folder, 'node_modules/.cache/countertag/electron-download.json')
const writeMemory = (folder: string, text: string) => {
  mkdirSync(join(folder, 'node_modules/.cache/countertag'), { recursive: true })
  writeFileSync(memory(folder), text)
}
const remembers = (folder: string, at: number, electron?: string) => {
  const own: unknown = JSON.parse(readFileSync(join(folder, 'node_modules/electron/package.json'), 'utf8'))
  const version = typeof own === 'object' && own !== null && 'version' in own ? own.version : ''
  const text = { electron: electron ?? version, at: new Date(at).toISOString(), reason: 'nothing came for 20 s' }
  writeMemory(folder, JSON.stringify(text))
}
const hour = 3_600_000

describe('a runtime named by ELECTRON_OVERRIDE_DIST_PATH', () => {
  it.each<[System, string]>([
    ['linux', 'electron'],
    ['win32', 'electron.exe'],
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ])('is found on %s by the name that its program has there', async (platform, program) => {
    const runtime = newFolder()
    standInRuntime(runtime, { system: platform })
    const { found } = await ask({ folder: checkout(), env: { ELECTRON_OVERRIDE_DIST_PATH: runtime }, platform })
    expect(found).toEqual({ path: join(runtime, program) })
  })

  it('is reported and not remembered if the folder holds none', async () => {
    const [folder, runtime, server] = [checkout(), newFolder(), await mirror('HTTP/1.1 404 Not Found\r\n\r\n')]
    const { found } = await ask({ folder, env: { ELECTRON_OVERRIDE_DIST_PATH: runtime } })
    expect(found).toEqual({ reason: `there is none in ${runtime}` })
    await ask({ folder, env: { ELECTRON_MIRROR: server.address } })
    expect(server.asked).toBe(1)
  })
})

describe('a download of the runtime that failed', () => {
  it.each<[string, (server: string) => Promise<string>, RegExp]>([
    ['no server listens there', refused, /^its server cannot be reached$/],
    ['it is refused', (server) => Promise.resolve(server), /^Response code 403/],
  ])('is remembered for a day when %s, and not tried meanwhile', async (_why, where, reason) => {
    const [folder, server] = [checkout(), await mirror('HTTP/1.1 403 Forbidden\r\n\r\n')]
    const first = await ask({ folder, env: { ELECTRON_MIRROR: await where(server.address) } })
    expect(first.found).toMatchObject({ isRemembered: true, wasAsked: true })
    expect(first.found).toHaveProperty('reason', expect.stringMatching(reason))
    const asked = server.asked

    const env = { ELECTRON_MIRROR: server.address }
    const second = await ask({ folder, env })
    expect(second.found).toMatchObject({ isRemembered: true, wasAsked: false })
    expect(second.found).toHaveProperty('reason', expect.stringMatching(reason))
    expect(second.said).not.toContain('Fetching')
    expect(server.asked).toBe(asked)

    await ask({ folder, env, again: true })
    expect(server.asked).toBe(asked + 1)
  })

  it.each<[string, (folder: string) => void]>([
    ['a day has passed', (folder) => remembers(folder, Date.now() - 25 * hour)],
    ['the clock was set back', (folder) => remembers(folder, Date.now() + 2 * hour)],
    ['it was of another version', (folder) => remembers(folder, Date.now() - hour, '44.0.0')],
    ['what is remembered is rubbish', (folder) => writeMemory(folder, 'rubbish')],
    ['its time is invalid', (folder) => writeMemory(folder, '{"at":"soon"}')],
  ])('is tried again when %s', async (_when, prepare) => {
    const [folder, server] = [checkout(), await mirror('HTTP/1.1 404 Not Found\r\n\r\n')]
    prepare(folder)
    await ask({ folder, env: { ELECTRON_MIRROR: server.address } })
    expect(server.asked).toBe(1)
  })

  it('is still remembered an hour later', async () => {
    const [folder, server] = [checkout(), await mirror('HTTP/1.1 404 Not Found\r\n\r\n')]
    remembers(folder, Date.now() - hour)
    const { found } = await ask({ folder, env: { ELECTRON_MIRROR: server.address } })
    expect(found).toMatchObject({ reason: 'nothing came for 20 s' })
    expect(server.asked).toBe(0)
  })

  it.each([
    ['the disk is full', 'Error: ENOSPC: no space left on device, write'],
    ['the folder may not be written', "Error: EACCES: permission denied, mkdir 'dist'"],
    ['what came is not the runtime', 'ChecksumMismatchError: Generated checksum for "electron.zip" did not match'],
    ['it says nothing', ''],
  ])('is not remembered when %s', async (_why, says) => {
    const folder = checkout(`console.error(${JSON.stringify(says)}); process.exit(1)`)
    const { found } = await ask({ folder })
    expect(found).toMatchObject({ isRemembered: false, wasAsked: true })
    expect((await ask({ folder })).said).toContain('Fetching')
  })

  it('is forgotten once the runtime exists', async () => {
    const folder = checkout(
      `const fs = require('fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/${process.platform === 'win32' ? 'electron.exe' : 'electron'}', '')`,
    )
    remembers(folder, Date.now() - hour)
    const { found } = await ask({ folder, again: true, platform: process.platform === 'win32' ? 'win32' : 'linux' })
    expect(found).toHaveProperty('path')
    expect(() => readFileSync(memory(folder))).toThrow('ENOENT')
  })
})

describe.skipIf(process.platform === 'win32')('npm start without a runtime', () => {
  /** Starts that checkout until it serves a browser or is stopped; returns its output. */
  async function start(folder: string, server: string, args: string[] = [], stopped?: Promise<void>): Promise<string> {
    const child = spawn(
      process.execPath,
      [
        // Tests may run as root, which can't use the runtime, and without a display.
        ...['--import', 'data:text/javascript,process.getuid=()=>1000'],
        ...[join(folder, 'scripts/start.mjs'), '--no-open', '--data-dir', newFolder(), ...args],
      ],
      {
        cwd: folder,
        env: environment({
          ...{ ELECTRON_MIRROR: server, DISPLAY: ':0', COUNTERTAG_NO_BUILD: '1' },
          // Long enough that a busy machine sends its request.
          COUNTERTAG_DOWNLOAD_SECONDS: '3',
        }),
      },
    )
    let said = ''
    const ended = new Promise((done) => child.once('close', done))
    await new Promise<void>((serving) => {
      const hear = (data: Buffer) => {
        said += data.toString()
        if (said.includes('Ready: ')) serving()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.on('close', () => serving())
      void stopped?.then(serving)
    })
    child.kill()
    await ended
    return said
  }

  it('waits only once for a server that never answers, says how to try again, and does so when told to', async () => {
    const [folder, server] = [checkout(), await mirror()]
    const [fetching, sentence] = (await start(folder, server.address)).split('\n')
    expect(fetching).toMatch(/^Fetching Electron's runtime, this once/)
    expect(sentence).toBe(
      "Electron's runtime could not be downloaded (nothing came for 3 s): starting in the browser instead. " +
        'It is tried again after a day, or now with `npm start -- --download`.',
    )
    expect(server.asked).toBe(1)

    const [remembered] = (await start(folder, server.address)).split('\n')
    expect(remembered).toBe(
      "Electron's runtime could not be downloaded when it was last tried (nothing came for 3 s): starting in the browser " +
        'instead. It is tried again after a day, or now with `npm start -- --download`.',
    )
    expect(server.asked).toBe(1)

    // Stopped meanwhile, as by Ctrl-C, it ends: a person who stops a start doesn't want a browser.
    const asking = expect.poll(() => server.asked).toBe(2)
    const again = await start(folder, server.address, ['--download'], asking)
    expect(again).toContain('Fetching')
    expect(again).not.toContain('browser')
  })

  it('says so when the server refuses', async () => {
    const said = await start(checkout(), await refused())
    expect(said).toMatch(
      /could not be downloaded \(its server cannot be reached\): starting in the browser instead\. It/,
    )
  })
})
