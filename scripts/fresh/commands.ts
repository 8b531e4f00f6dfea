import { spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { type Command, type Place, commands } from './places'

/** How a command of README went in a place. */
export interface Outcome {
  passed: boolean
  /** In a few words. */
  what: string
  /** The end of what it printed. */
  output: string
}

/** How long a command may take, in ms: ten times as long as on an idle computer. */
const longest: Record<Command, number> = { start: 10 * 60_000, test: 40 * 60_000 }
/** How long the app may take to end, in ms. */
const longestEnd = 60_000

/** A command of a place, and everything that it starts. */
class Running {
  readonly #child
  readonly ended: Promise<number | null>
  #said = ''
  #heard: () => void = () => undefined

  constructor({ repository, options }: Place, line: string) {
    // In a process group of its own, so that nothing of it is left.
    this.#child = spawn('sh', ['-c', line], {
      ...options,
      cwd: repository,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text
        this.#heard()
      })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', () => {
        resolve(null)
      })
      this.#child.once('close', resolve)
    })
  }

  get said(): string {
    return stripVTControlCharacters(this.#said)
  }

  /** Resolves with what is found in a line of its output; never, if it isn't printed. */
  line(wanted: RegExp): Promise<string> {
    return new Promise((resolve) => {
      this.#heard = () => {
        const [, found] = wanted.exec(this.said) ?? []
        if (found !== undefined) resolve(found)
      }
      this.#heard()
    })
  }

  kill(signal: NodeJS.Signals): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal)
    } catch {
      // All of it has ended.
    }
  }
}

const late = 'it took too long'
const lateAfter = async (ms: number) => setTimeout(ms, late, { ref: false })

/** Runs a command of README in a place and looks at what a person sees. `isInstalled`: npm ci has run there. */
export async function tryCommand(place: Place, command: Command, isInstalled: boolean): Promise<Outcome> {
  const began = performance.now()
  const line = isInstalled ? commands[command].replace('npm ci && ', '') : commands[command]
  const running = new Running(place, line)
  const stop = () => {
    running.kill('SIGKILL')
  }
  // Before the place is removed.
  process.prependOnceListener('exit', stop)
  try {
    const end = await Promise.race([
      command === 'start' ? started(running) : tested(running),
      lateAfter(longest[command]),
    ])
    const seconds = `${((performance.now() - began) / 1_000).toFixed(0)} s`
    const [passed, what] = typeof end === 'string' ? [false, end] : end
    return { passed, what: `${line}: ${what}, ${seconds}`, output: running.said.slice(-6_000) }
  } finally {
    stop()
    process.off('exit', stop)
  }
}

/** Until "Ready:"; then the page is there, and the app ends when it is told to. */
async function started(running: Running): Promise<[boolean, string]> {
  const address = await Promise.race([running.line(/^Ready: (http:\S+)$/m), running.ended])
  if (typeof address !== 'string') return [false, `it ended with ${String(address)} before it was ready`]
  const answer = await fetch(address).catch(() => undefined)
  const page = (await answer?.text()) ?? ''
  if (!page.includes('<title>Countertag</title>')) return [false, 'Ready, but it serves no page']
  running.kill('SIGTERM')
  const end = await Promise.race([running.ended, lateAfter(longestEnd)])
  return end === late ? [false, 'Ready, but it did not end'] : [true, 'Ready']
}

/** Until its end; the last line has the counts. */
async function tested(running: Running): Promise<[boolean, string]> {
  const code = await running.ended
  const last = running.said.trimEnd().split('\n').at(-1) ?? ''
  const isCount = /^\d+ passed, 0 failed, \d+ skipped$/.test(last)
  return [code === 0 && isCount, /^\d+ passed, /.test(last) ? last : `it ended with ${String(code)}`]
}
