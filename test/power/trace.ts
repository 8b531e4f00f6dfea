/**
 * Parses strace's log of a process and its threads (`-f -y -xx`): all text in it is written as `\x` and two digits, so
 * quotes, commas and brackets are strace's own. An unknown line about a followed path is an error, never skipped.
 */

/** Something that changed a followed file or folder, in order. */
export type Change =
  | { kind: 'open'; path: string; creates: boolean; empties: boolean }
  | { kind: 'write'; path: string; offset: number; bytes: Buffer }
  /** At the end of the file, wherever that is. */
  | { kind: 'append'; path: string; bytes: Buffer }
  /** Copied from another file inside the kernel: the bytes are in no call. */
  | { kind: 'copy'; path: string; offset: number; source: string; from: number; size: number }
  | { kind: 'resize'; path: string; size: number }
  /** Covers the changes before `from`, the number of changes when the sync began: other threads may write meanwhile. */
  | { kind: 'sync'; path: string; from: number }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'remove'; path: string }
  | { kind: 'make folder'; path: string }

interface TraceParts {
  log: string
  /** The folder of all followed files: lines that don't name it are skipped quickly. */
  folder: string
  /** Whether changes of a path in that folder are recorded. */
  isFollowed: (path: string) => boolean
}

interface Call {
  thread: string
  name: string
  args: string[]
  result: string
  /** The number of changes when the call began. */
  from: number
}

/** The changes of one traced process. Throws if the log shows a change that the model doesn't know. */
export function readTrace({ log, folder, isFollowed }: TraceParts): Change[] {
  const changes: Change[] = []
  const sign = hexOf(folder)
  const begun = new Map<string, { text: string; from: number }>()
  /** The write position of each file opened for writing from its beginning, by descriptor. */
  const positions = new Map<string, number | 'end'>()

  const take = (call: Call) => {
    const paths = pathsIn(call)
    if (!paths.some(isFollowed)) return
    changes.push(...changesOf(call, positions))
  }

  for (const line of log.split('\n')) {
    const [, thread, text] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (thread === undefined || text === undefined || /^(\+\+\+|---)/.test(text)) continue
    const open = /^(.*) <unfinished \.\.\.>\)?(?: += \?)?$/.exec(text)
    if (open) {
      begun.set(thread, { text: open[1] ?? '', from: changes.length })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)
    const first = resumed ? begun.get(thread) : undefined
    if (resumed) begun.delete(thread)
    const whole = resumed ? `${first?.text ?? ''}${resumed[1] ?? ''}` : text
    if (!whole.includes(sign)) continue
    const call = callIn(thread, whole, first?.from ?? changes.length)
    if (!call) {
      if (pathsInText(whole).some(isFollowed)) throw new Error(`not understood: ${line.slice(0, 300)}`)
      continue
    }
    // A failed call changed nothing.
    if (!call.result.startsWith('-1 ')) take(call)
  }
  return changes
}

function callIn(thread: string, text: string, from: number): Call | undefined {
  const [, name, args, result] = /^(\w+)\((.*)\) += (.*)$/.exec(text) ?? []
  return name === undefined || args === undefined || result === undefined
    ? undefined
    : { thread, name, args: argumentsIn(args), result, from }
}

/** Splits at the commas outside brackets: text contains neither. */
function argumentsIn(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let begin = 0
  for (const { 0: sign, index } of text.matchAll(/[,()[\]{}]/g)) {
    if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign)) depth--
    else if (depth === 0) {
      found.push(text.slice(begin, index).trim())
      begin = index + 1
    }
  }
  const last = text.slice(begin).trim()
  return last === '' ? found : [...found, last]
}

/** A text as strace writes it. */
export const hexOf = (text: string) =>
  Buffer.from(text)
    .toString('hex')
    .replaceAll(/../g, String.raw`\x$&`)
const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
/** A text as an argument; undefined if strace cut it off. */
const textIn = (arg = '') => {
  const [, hex] = /^"((?:\\x[0-9a-f]{2})*)"$/.exec(arg) ?? []
  return hex === undefined ? undefined : bytesOf(hex)
}
/** Parses `21</path>` into 21 and the path. A file without a name is no longer followed. */
const descriptorIn = (arg = '') => {
  const [, number, hex] = /^(-?\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})+)>$/.exec(arg) ?? []
  return number === undefined || hex === undefined ? undefined : { number, path: bytesOf(hex).toString() }
}

const pathsInText = (text: string) =>
  [...text.matchAll(/(?:\\x[0-9a-f]{2})+/g)]
    .map(([hex]) => bytesOf(hex))
    .filter(isPath)
    .map(String)
const isPath = (bytes: Buffer) => bytes[0] === 0x2f && bytes.length < 4_096

/** The paths that a call names, without the bytes that it writes. */
function pathsIn({ name, args, result }: Call): string[] {
  const named = args.filter((_, at) => !(/^p?write/.test(name) && at > 0))
  return [...named, result].flatMap((arg) => {
    const text = descriptorIn(arg)?.path ?? textIn(arg)?.toString()
    return text?.startsWith('/') === true ? [text] : []
  })
}

/** Calls on a followed path that change nothing. */
const harmless =
  /^(access|faccessat2?|stat|lstat|fstat|statx|newfstatat|statfs|fstatfs|readlink|chdir|chmod|fchmod|fchmodat|chown|fchown|utimensat|close|read|pread64|getdents64|fcntl|ioctl|lseek|inotify_add_watch)$/

function changesOf(call: Call, positions: Map<string, number | 'end'>): Change[] {
  const { name, args, result } = call
  const fail = () => new Error(`the model doesn't know ${name}(${args.join(', ').slice(0, 300)}) = ${result}`)
  const must = <T>(value: T | undefined): T => {
    if (value === undefined) throw fail()
    return value
  }
  const pathAt = (at: number) => must(textIn(args[at])).toString()
  const absolute = (path: string) => {
    if (!path.startsWith('/')) throw fail()
    return path
  }
  const file = () => must(descriptorIn(args[0]))
  const numberAt = (at: number) => {
    const number = Number(args[at])
    if (!Number.isSafeInteger(number)) throw fail()
    return number
  }
  /** All bytes must have been written: the model doesn't know short writes. */
  const written = (bytes: Buffer) => {
    if (Number(result) !== bytes.length) throw fail()
    return bytes
  }

  switch (name) {
    case 'open':
    case 'openat':
    case 'creat': {
      const at = name === 'openat' ? 1 : 0
      const flags = name === 'creat' ? 'O_WRONLY|O_CREAT|O_TRUNC' : (args[at + 1] ?? '')
      const opened = must(descriptorIn(result))
      positions.delete(opened.number)
      if (/O_APPEND/.test(flags)) positions.set(opened.number, 'end')
      else if (/O_WRONLY/.test(flags)) positions.set(opened.number, 0)
      const [creates, empties] = [/O_CREAT/.test(flags), /O_TRUNC/.test(flags)]
      return creates || empties ? [{ kind: 'open', path: absolute(pathAt(at)), creates, empties }] : []
    }
    case 'pwrite64':
      return [{ kind: 'write', path: file().path, offset: numberAt(3), bytes: written(must(textIn(args[1]))) }]
    case 'write': {
      const { number, path } = file()
      const bytes = written(must(textIn(args[1])))
      const position = must(positions.get(number))
      if (position === 'end') return [{ kind: 'append', path, bytes }]
      positions.set(number, position + bytes.length)
      return [{ kind: 'write', path, offset: position, bytes }]
    }
    case 'copy_file_range': {
      const [source, target] = [file(), must(descriptorIn(args[2]))]
      const [, from] = /^\[(\d+)\]$/.exec(args[1] ?? '') ?? []
      const offset = must(positions.get(target.number))
      if (args[3] !== 'NULL' || offset === 'end') throw fail()
      const size = Number(result)
      positions.set(target.number, offset + size)
      return [{ kind: 'copy', path: target.path, offset, source: source.path, from: Number(must(from)), size }]
    }
    case 'ftruncate':
      return [{ kind: 'resize', path: file().path, size: numberAt(1) }]
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', path: file().path, from: call.from }]
    case 'rename':
      return [{ kind: 'rename', path: absolute(pathAt(0)), to: absolute(pathAt(1)) }]
    case 'renameat':
    case 'renameat2':
      return [{ kind: 'rename', path: absolute(pathAt(1)), to: absolute(pathAt(3)) }]
    case 'unlink':
    case 'rmdir':
      return [{ kind: 'remove', path: absolute(pathAt(0)) }]
    case 'unlinkat':
      return [{ kind: 'remove', path: absolute(pathAt(1)) }]
    case 'mkdir':
      return [{ kind: 'make folder', path: absolute(pathAt(0)) }]
    case 'mkdirat':
      return [{ kind: 'make folder', path: absolute(pathAt(1)) }]
    case 'mmap':
      // Writes through mapped memory appear in no log of calls.
      if (/PROT_WRITE/.test(args[2] ?? '') && /MAP_SHARED/.test(args[3] ?? '')) throw fail()
      return []
    default:
      if (harmless.test(name) && !(name === 'ioctl' && /FICLONE|FIDEDUPE/.test(args[1] ?? ''))) return []
      throw fail()
  }
}
