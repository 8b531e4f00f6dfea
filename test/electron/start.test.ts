import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFolder } from './countertag'
import { root } from './root'

interface Run {
  /** All output so far. */
  said: string
  /** Waits until that text was output. */
  until(text: RegExp): Promise<void>
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

/** Runs `npm start` as npm does, with that runtime folder: builds nothing and downloads nothing. */
function start(args: string[], runtime: string): Run {
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: runtime, INIT_CWD: runtime, COUNTERTAG_NO_BUILD: '1' }
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), ...args], { cwd: root, env })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  const waiting = new Set<() => void>()
  const run: Run = {
    said: '',
    until: async (text) => {
      while (!text.test(run.said)) {
        if (child.exitCode !== null) throw new Error(`It ended without a ${String(text)}: ${run.said}`)
        await new Promise<void>((again) => waiting.add(again))
      }
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
  const wake = () => {
    for (const again of waiting) again()
    waiting.clear()
  }
  const hear = (data: Buffer) => {
    run.said += data.toString()
    wake()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.on('close', (code) => {
    wake()
    resolve(code)
  })
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  return run
}

/** A folder with a stand-in for the runtime, a shell script. */
function runtimeThat(does: string): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'electron'), `#!/bin/sh\n${does}\n`)
  chmodSync(join(folder, 'electron'), 0o755)
  return folder
}

const serving = /^Ready: (http:\/\/127\.0\.0\.1:\d+)\/#\S+$/m
const addressIn = (said: string) => serving.exec(said)?.[1] ?? ''

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it.each([
    [['--colour'], 'There is no flag --colour.'],
    [['receiving'], '"receiving" is not a flag.'],
    [['--port'], '--port needs a value.'],
    [['--port', '70000'], '--port takes a number from 0 to 65535, not "70000".'],
    [['--data-dir', '--no-open'], '--data-dir needs a value.'],
    [['--profile', 'production'], '--profile takes "practice", not "production".'],
    [['--browser=yes'], '--browser takes no value.'],
  ])('refuses %j in one sentence, with the list of flags', async (args, sentence) => {
    const run = start(args, newFolder())
    expect(await run.ended).toBe(1)
    expect(run.said).toMatch(/--data-dir DIR .*\n.*--profile practice/)
    expect(run.said.split('\n')[0]).toBe(sentence)
  })

  it('starts Electron with the app and its flags, and ends with its exit code', async () => {
    const runtime = runtimeThat('echo "$@"; exit 7')
    const run = start(['--data-dir', 'till 2', '--profile', 'practice', '--port', '0'], runtime)
    expect(await run.ended).toBe(7)
    expect(run.said.trim()).toBe(`${root} --data-dir ${join(runtime, 'till 2')} --profile practice`)
  })

  it('forwards a signal to Electron and waits until it has closed', async () => {
    const run = start([], runtimeThat('trap "echo closed; exit 0" TERM; echo open; while :; do sleep 0.1; done'))
    await run.until(/open/)
    run.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(run.said).toBe('open\nclosed\n')
  })

  it.each([
    ['there is no runtime', () => newFolder(), "Electron's runtime could not be downloaded (there is none in "],
    ['the runtime dies at once', () => runtimeThat('kill -TRAP $$'), 'Electron could not start on this machine'],
    ['a system library is missing', () => runtimeThat('exit 127'), 'Electron could not start on this machine'],
  ])('says so in one line and serves a browser instead when %s', async (_why, runtime, line) => {
    const run = start(['--no-open', '--port', '0', '--data-dir', newFolder()], runtime())
    await run.until(serving)
    const [first = ''] = run.said.split('\n')
    expect(first).toContain(line)
    expect(first).toMatch(/: starting in the browser instead\.$/)
    run.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    await expect(fetch(addressIn(run.said))).rejects.toThrow()
  })

  it('ends the app when the npm process that runs it is stopped', async () => {
    const env = { ...process.env, npm_lifecycle_event: 'start', COUNTERTAG_NO_BUILD: '1' }
    const line = `'${process.execPath}' scripts/start.mjs --browser --no-open --data-dir '${newFolder()}'; true`
    const shell = spawn('sh', ['-c', line], { cwd: root, env })
    const said = await new Promise<string>((resolve) => {
      let text = ''
      shell.stdout.on('data', (data: Buffer) => {
        text += data.toString()
        if (serving.test(text)) resolve(text)
      })
    })
    const address = addressIn(said)
    expect((await fetch(address)).status).toBeLessThan(500)
    // The output closes when the last process that writes to it has ended, which is the app: the shell ends at once.
    const appEnded = once(shell, 'close')
    shell.kill()
    await appEnded
    await expect(fetch(address)).rejects.toThrow()
  })

  it('serves a browser without mentioning Electron when asked to', async () => {
    const run = start(['--browser', '--no-open', '--data-dir', newFolder()], runtimeThat('echo electron'))
    await run.until(serving)
    expect(run.said).not.toMatch(/electron/i)
    run.kill('SIGINT')
    expect(await run.ended).toBe(0)
  })
})
