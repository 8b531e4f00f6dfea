import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'

/**
 * @typedef {object} Ending
 * @property {number} code what the child ended with; 128 and the signal's number if a signal ended it, as in a shell
 * @property {NodeJS.Signals | null} signal the signal that ended it
 * @property {boolean} asked whether we had been told to stop, and had passed it on
 */

/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']

const parent = process.ppid

/**
 * Calls back when npm is gone: stopped by a signal, it takes its shell along, but not the script that the shell runs.
 *
 * @param {() => void} onGone
 */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return undefined
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    onGone()
  }, 300)
  return watch
}

/**
 * Runs a program to its end, handing on the signals that reach us, so that it never outlives us. Its output goes
 * where ours goes unless `options.stdio` says otherwise. Rejects only when it cannot be started.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { onOutput?: (text: string) => void }} [options]
 * @returns {Promise<Ending>}
 */
export function run(program, args, { onOutput, ...options } = {}) {
  const stdio = onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit'
  let asked = false

  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    asked = true
    // A terminal sends Ctrl-C to the child as well: a second one would cut its closing short.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  const end = () => child.kill()
  // Before there is a child: a signal between its start and these lines would end us and leave it behind.
  for (const signal of passedOn) process.on(signal, passOn)
  const child = spawn(program, args, { stdio, ...options })
  process.on('exit', end)
  const watch = watchNpm(() => passOn('SIGTERM'))

  child.stdout?.on('data', (data) => onOutput?.(String(data)))
  child.stderr?.on('data', (data) => onOutput?.(String(data)))

  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), signal, asked })
    })
  }).finally(() => {
    for (const signal of passedOn) process.off(signal, passOn)
    process.off('exit', end)
    clearInterval(watch)
  })
}

/**
 * Runs a script with this Node.
 *
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (args, options) => run(process.execPath, args, options)
