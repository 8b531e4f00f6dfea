import { spawn, spawnSync } from 'node:child_process'
import process from 'node:process'

/** Whether this computer can trace at all; the error is a sentence for a person. */
export function tracerProblem(suite: string): string | undefined {
  if (process.platform !== 'linux') return `${suite} runs on Linux only: it runs a process under strace.`
  if (spawnSync('strace', ['--version']).error === undefined) return undefined
  return `${suite} needs strace. On Debian: apt-get install strace`
}

/** Every call that can change a file or a folder, or that syncs one to disk. */
const traced = [
  'open,openat,openat2,creat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate',
  'fsync,fdatasync,sync,syncfs,sync_file_range,msync,mmap',
  'rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,symlinkat,mknod,mknodat',
  'copy_file_range,sendfile,splice,ioctl,io_uring_setup',
].join(',')

/** Longer than any single write: text that was cut off would be an error. */
const longest = 64_000_000

interface End {
  code: number | null
  signal: NodeJS.Signals | null
  said: string
}

/** Runs a program under the tracer and writes the log to a file. Rejects if the program can't be started. */
export function runTraced(args: string[], log: string): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'strace',
      [
        '-f',
        '-y',
        '-xx',
        '-qq',
        '--seccomp-bpf',
        '-s',
        String(longest),
        '-e',
        `trace=${traced}`,
        '-o',
        log,
        '--',
        process.execPath,
        ...args,
      ],
      // File calls through io_uring would appear in no log.
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, UV_USE_IO_URING: '0' } },
    )
    const end = () => child.kill('SIGKILL')
    process.on('exit', end)
    let said = ''
    child.stderr.on('data', (data) => {
      said += String(data)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('exit', end)
      resolve({ code, signal, said: said.slice(-2_000) })
    })
  })
}
