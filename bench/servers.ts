import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'

/** The servers under load, each in a separate process, so that the load does not slow them down. */

const root = join(import.meta.dirname, '..')
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')

interface Server<Places> {
  places: Places
  /** From the start of the process to its ready line, in ms. */
  startedIn: number
  stop(): void
}

const Places = z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() })

/** `npm run practice` on an existing database. */
export const startPractice = (db: string): Promise<Server<z.infer<typeof Places>>> =>
  start(['src-practice/main.ts', '--db', db], /Practice service: (.*)/, Places)

/** A Hono app with one empty route, on the same adapter. */
export const startEmptyRoute = (): Promise<Server<{ baseUrl: string }>> =>
  start(['bench/practice/empty-route.ts'], /Empty route: (.*)/, z.object({ baseUrl: z.string() }))

/** A service 50 ms away that accepts everything: see bench/outbox. */
export const startSlowService = (): Promise<Server<{ baseUrl: string }>> =>
  start(['bench/outbox/slow-service.ts'], /Slow service: (.*)/, z.object({ baseUrl: z.string() }))

/** A line to a server on this computer, `away` ms there and back: see bench/store. */
export const startFarLine = (to: number, away: number): Promise<Server<{ port: number }>> =>
  start(
    ['bench/store/far-line.ts', '--to', String(to), '--away', String(away)],
    /Far line: (.*)/,
    z.object({ port: z.number() }),
  )

function start<T>(args: string[], line: RegExp, shape: z.ZodType<T>): Promise<Server<T>> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(process.execPath, [tsx, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = line.exec(said)?.[1]
      if (found === undefined) return
      const startedIn = performance.now() - startedAt
      resolve({ places: shape.parse(JSON.parse(found)), startedIn, stop: () => child.kill('SIGTERM') })
    })
    child.once('exit', (code) => {
      reject(new Error(`${args.join(' ')} ended with ${code}`))
    })
  })
}
