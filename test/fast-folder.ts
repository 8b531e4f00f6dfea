import { readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const memory = '/dev/shm'
const enough = 4 * 1024 ** 3

/**
 * Where tests keep their files: in memory where there is room for them, for every commit of every station waits until
 * the disk has really written it. Elsewhere, and where TMPDIR says otherwise, in the usual folder.
 */
export function fastFolder(): string {
  const isAsked = process.env.TMPDIR !== undefined
  return !isAsked && process.platform === 'linux' && freemem() > enough && hasRoom() ? memory : tmpdir()
}

function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory)
    const { bavail, bsize } = statfsSync(memory)
    // Some tests run what they write.
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize > enough
  } catch {
    return false
  }
}
