import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Answered, Closing, MainSample, type Request, ShelfCounted, type StationOrder } from './talk'

/** A station's process, which may be killed and restarted on the same data. */
export interface StationProcess {
  sample(isTidied: boolean): Promise<MainSample>
  newDay(ahead: number, catalogue: Extract<Request, { ask: 'new day' }>['catalogue']): Promise<void>
  /** The last count of the shelf. */
  shelfCount(): Promise<ShelfCounted>
  closing(day: string): Promise<Closing>
  /** Closes the day of the whole store; rejects if a station isn't done. */
  closeStore(day: string): Promise<Closing>
  /** Ends the process the way a power cut would. */
  kill(): Promise<void>
  /** Returns the address of its page. */
  start(): Promise<string>
}

interface Ground {
  /** The bundled station, and V8's folder for compiled code. */
  bundle: { file: string; cache: string }
  /** The value at the moment of use: `ahead` changes with the days. */
  order: () => StationOrder
}

export function createStationProcess({ bundle, order }: Ground): StationProcess {
  let child: ChildProcess | undefined
  let asked = 0
  /** Questions to the running process; they are rejected if it dies. */
  let open = new Map<number, { answer: (value: unknown) => void; refuse: (cause: Error) => void }>()

  const ask = async (request: Request): Promise<unknown> => {
    // Rejects before storing the question: a question to a station that is down fails here, not again at the next
    // process's end.
    if (!child?.connected) throw new Error('the station is not running')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = asked++
    open.set(id, { answer: resolve, refuse: reject })
    child.send({ id, request })
    return promise
  }

  return {
    sample: async (isTidied) => MainSample.parse(await ask({ ask: 'sample', isTidied })),
    async newDay(ahead, catalogue) {
      await ask({ ask: 'new day', ahead, catalogue })
    },
    shelfCount: async () => ShelfCounted.parse(await ask({ ask: 'shelf count' })),
    closing: async (day) => Closing.parse(await ask({ ask: 'closing', day })),
    closeStore: async (day) => Closing.parse(await ask({ ask: 'close the store', day })),
    async kill() {
      const dying = child
      child = undefined
      const unanswered = open
      open = new Map()
      for (const { refuse } of unanswered.values()) refuse(new Error('the station was killed'))
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
      await new Promise((resolve) => {
        dying.once('exit', resolve)
        dying.kill('SIGKILL')
      })
    },
    async start() {
      const started = spawn(process.execPath, ['--expose-gc', bundle.file, JSON.stringify(order())], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: { ...process.env, NODE_COMPILE_CACHE: bundle.cache },
      })
      child = started
      started.on('message', (message) => {
        const { id, answer } = Answered.parse(message)
        open.get(id)?.answer(answer)
        open.delete(id)
      })
      const { stdout } = started
      if (!stdout) throw new Error('the station has no output')
      for await (const line of createInterface({ input: stdout })) {
        const url = /^Ready: (\S+)$/.exec(line)?.[1]
        if (url !== undefined) return url
      }
      throw new Error('the station ended before it was ready')
    },
  }
}
