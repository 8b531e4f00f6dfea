import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { Answered, type Request } from './talk'

/** Rejected with when a station was killed before it answered. */
export class Killed extends Error {}

/** A process that opens one station after the other, until it is killed. */
export interface StationProcess {
  ask(request: Request): Promise<unknown>
  isAlive(): boolean
  kill(): Promise<void>
}

/** An answer that takes longer is a fault, in ms. */
const longest = 30_000

/** `bundle`: the bundled station, and V8's folder for compiled code. */
export function startProcess(bundle: { file: string; cache: string }): StationProcess {
  const child: ChildProcess = spawn(process.execPath, [bundle.file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: bundle.cache },
  })
  const open = new Map<number, { answer: (value: unknown) => void; refuse: (cause: Error) => void }>()
  let asked = 0
  let isAlive = true
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isAlive = false
      for (const { refuse } of open.values()) refuse(new Killed('the station was killed'))
      open.clear()
      resolve()
    })
  })
  child.on('error', () => undefined)
  child.on('message', (message) => {
    const { id, answer, fault } = Answered.parse(message)
    const waiting = open.get(id)
    open.delete(id)
    if (fault === undefined) waiting?.answer(answer)
    else waiting?.refuse(new Error(fault))
  })
  // A child must not outlive the suite.
  const end = () => child.kill('SIGKILL')
  process.on('exit', end)
  void ended.then(() => process.off('exit', end))
  return {
    ask(request) {
      if (!isAlive || !child.connected) return Promise.reject(new Killed('the station is not running'))
      const id = asked++
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`no answer within ${longest} ms: ${JSON.stringify(request).slice(0, 300)}`))
        }, longest)
        open.set(id, {
          answer: (value) => {
            clearTimeout(timer)
            resolve(value)
          },
          refuse: (cause) => {
            clearTimeout(timer)
            reject(cause)
          },
        })
        child.send({ id, request })
      })
    },
    isAlive: () => isAlive,
    async kill() {
      isAlive = false
      child.kill('SIGKILL')
      await ended
    },
  }
}
