import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { textLike } from './practice'
import { data, dataFile } from './sample'

const root = join(import.meta.dirname, '..', '..', '..')

const run = (...flags: string[]) => running([inject('programs').practice, ...flags])
/** As `npm run practice` does, from the sources. */
const runSources = (...flags: string[]) => running(['--import', 'tsx', 'src-practice/main.ts', ...flags])

function running(command: string[]) {
  const child = spawn(process.execPath, command, { cwd: root })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)))
  // Not at its exit: what it said last may still be on its way then.
  const ended = once(child, 'close').then(([code]) => ({ code: z.number().nullable().parse(code), ...output }))
  return { child, output, ended }
}

describe('npm run practice', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'practice-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    ['SIGINT', runSources],
    ['SIGTERM', run],
  ] as const)('prints one line with its addresses and stops cleanly on %s', async (signal, start) => {
    const { child, output, ended } = start('--port', '0', '--data', dataFile, '--db', join(folder, `${signal}.db`))
    while (!output.stdout.includes('\n')) await once(child.stdout, 'data')
    const line = /^Practice service: (\{.*\})\n$/.exec(output.stdout)?.[1] ?? ''
    const addresses = z.record(z.string(), z.url()).parse(JSON.parse(line))
    expect(Object.keys(addresses)).toEqual(['baseUrl', 'authUrl', 'adminUrl'])
    expect((await fetch(`${addresses.adminUrl ?? ''}/transactions`)).status).toBe(200)
    expect((await fetch(`${addresses.baseUrl ?? ''}/media/palisades.svg`)).status).toBe(200)
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  const broken = (name: string, content: string) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }

  it('ends with one sentence and code 1 if it cannot start', async () => {
    const text = JSON.stringify(data)
    const tries: [string[], RegExp][] = [
      [['--colour'], /^Unknown option '--colour'\.\n$/],
      [['--port', 'many'], /^--port must be a number from 0 to 65535, not "many"\.\n$/],
      [['--port', '70000'], /^--port must be/],
      [['--data', join(folder, 'none.json')], /^The data file .*none\.json cannot be read: ENOENT.*\n$/],
      [['--data', broken('cut.json', '{"format":')], /^The data file .*cut\.json is wrong: it is not JSON .*\n$/],
      [['--data', broken('list.json', '[]')], /^The data file .*list\.json is wrong: the file: .*\n$/],
      [['--data', broken('typo.json', text.replace('"client_id"', '"clientid"'))], /accounts\[0\]/],
      [['--data', dataFile, '--pictures', join(folder, 'none')], /^The pictures folder .*none cannot be read\.\n$/],
      [['--data', dataFile, '--db', join(folder, 'no', 'such.db')], /^The database .* cannot be opened: .*\n$/],
    ]
    const results = await Promise.all(
      tries.map(async ([flags, message]) => ({ message, ...(await run(...flags).ended) })),
    )
    for (const { message, ...result } of results) {
      expect(result).toMatchObject({ code: 1, stdout: '', stderr: textLike(message) })
      expect(result.stderr.trim().split('\n')).toHaveLength(1)
    }
  })
})
