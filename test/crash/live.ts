import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import type { Kill } from './kills'
import type { LifeOrder } from './station'

/** Limit for one life, in ms: the evening's own limit is shorter. */
const longestLife = 180_000

/** How a life ended. */
interface End {
  code: number | null
  signal: NodeJS.Signals | null
  said: string
  wasKilledFromOutside: boolean
  isTooLong: boolean
}

/** Starts a station, and kills it from outside if its plan says so. */
export function live(bundle: string, order: LifeOrder, kill: Kill | undefined): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stopTogether = killWithUs(child)
    let said = ''
    let isTooLong = false
    let wasKilledFromOutside = false
    const limit = setTimeout(() => {
      isTooLong = true
      child.kill('SIGKILL')
    }, longestLife)
    let timer: NodeJS.Timeout | undefined
    const killLater = (after: 'start' | 'ready') => {
      if (!kill || !('after' in kill) || kill.after !== after) return
      timer = setTimeout(() => {
        wasKilledFromOutside = child.kill('SIGKILL')
      }, kill.ms)
    }
    killLater('start')
    child.stdout.once('data', () => {
      killLater('ready')
    })
    child.stderr.on('data', (data) => {
      said += String(data)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(limit)
      clearTimeout(timer)
      stopTogether()
      resolve({ code, signal, said: said.slice(-2_000), wasKilledFromOutside, isTooLong })
    })
  })
}

/** A child must not outlive the suite. */
function killWithUs(child: ChildProcess): () => void {
  const end = () => child.kill('SIGKILL')
  process.on('exit', end)
  return () => process.off('exit', end)
}
