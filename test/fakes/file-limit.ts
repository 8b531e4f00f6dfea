import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync } from 'node:fs'
import { devNull } from 'node:os'
import { createInterface } from 'node:readline'

/** Whether the limit can be changed here: util-linux is on every Debian and Fedora, and nowhere else. */
export const canLimitFiles = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0

/**
 * Runs something while this process may open no more files or connections, as on a computer that is out of them. Those that
 * are open stay so. The real limit of the system: everything that opens one fails with EMFILE, SQLite and sockets included.
 * `left`: so many may still be opened.
 */
export async function withoutFiles<T>(run: () => T | Promise<T>, left = 0): Promise<T> {
  // Started before, because starting a program takes files too.
  const shell = spawn('sh', [], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]()
  const tell = async (command: string) => {
    shell.stdin.write(`${command}; echo done\n`)
    for (;;) {
      const line = await lines.next()
      if (line.done === true || line.value === 'done') return
    }
  }
  await tell(`before=$(prlimit --pid ${process.pid} --nofile --output SOFT --noheadings | tr -d ' ')`)
  const highest = Math.max(...readdirSync('/proc/self/fd').map(Number))
  const fillers: number[] = []
  try {
    await tell(`prlimit --pid ${process.pid} --nofile=${highest + 1 + left}:`)
    fillUp(fillers)
    for (const file of fillers.splice(fillers.length - left)) closeSync(file)
    return await run()
  } finally {
    for (const file of fillers) closeSync(file)
    await tell(`prlimit --pid ${process.pid} --nofile=$before:`)
    shell.stdin.end()
    await once(shell, 'exit')
  }
}

/** The numbers between those in use are free as well. */
function fillUp(fillers: number[]): void {
  try {
    for (;;) fillers.push(openSync(devNull, 'r'))
  } catch {
    // That was the last.
  }
}
