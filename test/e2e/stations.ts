import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { removeFolder } from '../remove-folder'

const host = join(import.meta.dirname, 'stations-host.mjs')
const Answer = z.object({ id: z.number(), problem: z.string().optional() })
const Opened = z.object({ url: z.string(), adminUrl: z.string() })

/** The process that holds a worker's stations. It outlives a test, unless the test cuts the power. */
export interface Stations {
  /** Opens a station on that data. */
  open(dataDir: string): Promise<{ url: string; adminUrl: string }>
  /** Closes the station the way a person would, and deletes its data. The next station may open meanwhile. */
  closeLater(dataDir: string): void
  /** Ends the process the way a power cut would. The next station gets a new process. */
  kill(): Promise<void>
  /** Waits for deferred closings, and ends the process. */
  end(): Promise<void>
}

export function createStations(): Stations {
  let child: ChildProcess | undefined
  let asked = 0
  const waiting = new Map<number, { answer: (value: unknown) => void; refuse: (cause: Error) => void }>()
  let closing: Promise<void>[] = []

  const start = (): ChildProcess => {
    const started = fork(host, {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, COUNTERTAG_KEYCHAIN: 'off' },
    })
    started.on('message', (message) => {
      const { id, problem } = Answer.parse(message)
      const asker = waiting.get(id)
      waiting.delete(id)
      if (problem === undefined) asker?.answer(message)
      else asker?.refuse(new Error(problem))
    })
    started.on('exit', (code, signal) => {
      if (child === started) child = undefined
      for (const { refuse } of waiting.values()) refuse(new Error(`the stations ended: ${signal ?? code}`))
      waiting.clear()
    })
    return started
  }

  const ask = (to: ChildProcess, question: { ask: 'open' | 'close'; dataDir: string }): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = asked++
    waiting.set(id, { answer: resolve, refuse: reject })
    to.send({ id, ...question })
    return promise
  }

  const closed = async () => {
    const all = closing
    closing = []
    await Promise.all(all)
  }

  const kill = async () => {
    await closed()
    const dying = child
    if (!dying) return
    await new Promise((resolve) => {
      dying.once('exit', resolve)
      dying.kill('SIGKILL')
    })
  }

  return {
    async open(dataDir) {
      child ??= start()
      return Opened.parse(await ask(child, { ask: 'open', dataDir }))
    },
    closeLater(dataDir) {
      if (!child) throw new Error('the station ended by itself')
      const done = ask(child, { ask: 'close', dataDir }).then(() => removeFolder(dataDir))
      // A caller that awaits the promise gets the error.
      done.catch(() => undefined)
      closing.push(done)
    },
    kill,
    end: kill,
  }
}
