import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..')

interface Started {
  /** From the start of the process to its ready line, in ms. */
  took: number
  /** The content of its ready line. */
  said: string
  pid: number
  stop(): Promise<void>
}

/** The built browser host, as `npm start` runs it. */
export const startHost = (dataDir: string): Promise<Started> =>
  start(
    ['--max-semi-space-size=8', join(root, 'out/main/browser.js'), '--no-open', '--port', '0', '--data-dir', dataDir],
    /^Ready: (\S+)$/,
  )

/** Node with better-sqlite3, loaded through tsx: the peer of every release so far. */
export const startBareNode = (): Promise<Started> => startBare(['--import', 'tsx'])

/** The same without tsx, as we start. */
export const startPlainNode = (): Promise<Started> => startBare(['--max-semi-space-size=8'])

const startBare = (flags: string[]) => start([...flags, join(root, 'bench/start/bare-node.ts')], /^(Ready)$/)

/** A failed bench leaves no process running. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function start(args: string[], line: RegExp): Promise<Started> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, COUNTERTAG_KEYCHAIN: 'off' },
  })
  running.add(child)
  for await (const text of createInterface({ input: child.stdout })) {
    const said = line.exec(text)?.[1]
    if (said === undefined || child.pid === undefined) continue
    return { took: performance.now() - startedAt, said, pid: child.pid, stop: () => stop(child) }
  }
  throw new Error(`it ended before it was ready: ${args.join(' ')}`)
}

const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(child)
      resolve()
    })
    child.kill('SIGTERM')
  })

/** A server of one empty page, in this process. */
export async function startEmptyPage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>empty</title><p>Ready to scan')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening on a port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Resident memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  if (process.platform === 'linux') {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}
