import { spawn } from 'node:child_process'
import process from 'node:process'

/** The calls that fail. `rename` stands for its three forms. */
export const calls = ['pwrite64', 'fsync', 'ftruncate', 'openat', 'rename'] as const
export type Call = (typeof calls)[number]
const formsOf = (call: Call) => (call === 'rename' ? 'rename,renameat,renameat2' : call)
export const callOf = (name: string): Call | undefined =>
  calls.find((one) => one === name || (one === 'rename' && /^renameat2?$/.test(name)))

export const errors = ['ENOSPC', 'EIO', 'EDQUOT', 'EROFS'] as const
export type DiskError = (typeof errors)[number]

/** An error of the disk: in the n-th call of a thread on one of the paths, `once`, `twice` in a row, or from then `on`. */
export interface Injection {
  call: Call
  error: DiskError
  nth: number
  times: Times
}
export type Times = 'once' | 'twice' | 'on'

const whenOf = ({ nth, times }: Injection) =>
  times === 'on' ? `${nth}+` : times === 'twice' ? `${nth}..${nth + 1}` : nth

export interface End {
  code: number | null
  signal: NodeJS.Signals | null
  said: string
  out: string
  isTooLong: boolean
}

interface Job {
  args: string[]
  log: string
  /** The files and folders whose calls are followed; undefined: all. */
  paths?: readonly string[]
  injection?: Injection
}

/** A life takes about a second; a busy computer takes longer, and a station that doesn't end does so by itself before. In ms. */
const longestLife = 600_000

/** Runs Node under strace. Rejects if it can't be started. */
export function runStation({ args, log, paths = [], injection }: Job): Promise<End> {
  const traced = injection ? formsOf(injection.call) : [...calls.map(formsOf), 'write'].join(',')
  const injected = injection
    ? ['-e', `inject=${formsOf(injection.call)}:error=${injection.error}:when=${whenOf(injection)}`]
    : ['-y', '-s', '80']
  const options = ['-f', '-qq', '--seccomp-bpf', ...paths.flatMap((path) => ['-P', path]), '-e', `trace=${traced}`]
  return new Promise((resolve, reject) => {
    const child = spawn('strace', [...options, ...injected, '-o', log, '--', process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // File calls through io_uring would not be seen, and calls are counted thread by thread.
      env: { ...process.env, UV_USE_IO_URING: '0', UV_THREADPOOL_SIZE: '1' },
    })
    const end = () => child.kill('SIGKILL')
    process.on('exit', end)
    let [said, out, isTooLong] = ['', '', false]
    const limit = setTimeout(() => {
      isTooLong = true
      end()
    }, longestLife)
    child.stdout.on('data', (data) => {
      out += String(data)
    })
    child.stderr.on('data', (data) => {
      said += String(data)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(limit)
      process.off('exit', end)
      resolve({ code, signal, said: said.slice(-2_000), out, isTooLong })
    })
  })
}
