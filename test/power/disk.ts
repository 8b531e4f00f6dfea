import { dirname } from 'node:path'
import type { Change } from './trace'

/** A change of a file's bytes that no sync covers yet. */
export type Pending = { offset: number; bytes: Buffer } | { size: number }

export interface DiskFile {
  kind: 'file' | 'folder'
  /** The bytes that survive any cut. */
  durable: Buffer
  pending: Pending[]
  /** Grows with every change, so that equal states are recognized without comparing bytes. */
  version: number
}

/** A change of names that no sync of its folder covers yet. */
interface PendingName {
  /** The folders whose lists it changes. */
  folders: string[]
  gone: string | undefined
  come: { path: string; file: DiskFile } | undefined
}

/**
 * Files and folders between the station and the disk: what is certainly on disk, and what was changed since and may be
 * lost with the power. README.md lists the file system guarantees that this assumes.
 */
export interface Disk {
  /** `at`: the change's number in the trace, which decides whether a sync covers it. */
  apply(change: Change, at: number): void
  /** By path: the state that a power cut can't undo. */
  readonly names: ReadonlyMap<string, DiskFile>
  readonly pendingNames: readonly PendingName[]
  /** By path: the state that the process sees. */
  readonly seen: ReadonlyMap<string, DiskFile>
}

export interface DiskParts {
  /** The initial content of the disk: null is a folder. */
  start: ReadonlyMap<string, Buffer | null>
  /** Whether a sync of that path really works: a lying disk shows whether the judge notices. */
  isHonest?: (path: string) => boolean
}

export function createDisk({ start, isHonest = () => true }: DiskParts): Disk {
  const names = new Map<string, DiskFile>()
  for (const [path, bytes] of start) names.set(path, fileOf(bytes))
  const seen = new Map(names)
  let pendingNames: PendingName[] = []
  /** The number in the trace of each pending change: a sync covers the changes before its own start. */
  const numbers = new WeakMap<Pending | PendingName, number>()
  let now = 0
  const isCovered = (one: Pending | PendingName, from: number) => (numbers.get(one) ?? 0) < from

  const fileAt = (path: string, change: Change): DiskFile => {
    const file = seen.get(path)
    if (!file) throw new Error(`${change.kind} of ${path}, of which nothing is known`)
    return file
  }
  const add = (file: DiskFile, pending: Pending) => {
    file.pending.push(pending)
    file.version++
    numbers.set(pending, now)
  }
  const rename = (gone: string | undefined, come: PendingName['come']) => {
    const folders = [gone, come?.path].flatMap((path) => (path === undefined ? [] : [dirname(path)]))
    const pending: PendingName = { folders: [...new Set(folders)], gone, come }
    pendingNames.push(pending)
    numbers.set(pending, now)
    if (gone !== undefined) seen.delete(gone)
    if (come) seen.set(come.path, come.file)
  }
  const make = (path: string, kind: DiskFile['kind']) => {
    rename(undefined, { path, file: { kind, durable: Buffer.alloc(0), pending: [], version: 0 } })
  }

  const syncFile = (file: DiskFile, from: number) => {
    const covered = file.pending.filter((one) => isCovered(one, from))
    if (covered.length === 0) return
    file.durable = written(file.durable, covered)
    file.pending = file.pending.slice(covered.length)
    file.version++
  }
  /** Names reach the disk in order, folder by folder; a change in two folders ties their orders together. */
  const syncFolder = (folder: string, from: number) => {
    const wanted = new Set([folder])
    const covered: PendingName[] = []
    for (const one of pendingNames.toReversed()) {
      if (!isCovered(one, from) || !one.folders.some((each) => wanted.has(each))) continue
      covered.unshift(one)
      for (const each of one.folders) wanted.add(each)
    }
    for (const one of covered) renamed(names, one)
    pendingNames = pendingNames.filter((one) => !covered.includes(one))
  }

  return {
    names,
    seen,
    get pendingNames() {
      return pendingNames
    },
    apply(change, at) {
      now = at
      const { path } = change
      switch (change.kind) {
        case 'open': {
          if (!seen.has(path) && change.creates) make(path, 'file')
          const file = fileAt(path, change)
          if (change.empties && sizeOf(file) > 0) add(file, { size: 0 })
          return
        }
        case 'write':
          add(fileAt(path, change), { offset: change.offset, bytes: change.bytes })
          return
        case 'copy': {
          const source = seen.get(change.source)
          if (!source) throw new Error(`a copy of ${change.source}, of which nothing is known`)
          const bytes = written(source.durable, source.pending).subarray(change.from, change.from + change.size)
          add(fileAt(path, change), { offset: change.offset, bytes })
          return
        }
        case 'append': {
          const file = fileAt(path, change)
          add(file, { offset: sizeOf(file), bytes: change.bytes })
          return
        }
        case 'resize':
          add(fileAt(path, change), { size: change.size })
          return
        case 'sync': {
          if (!isHonest(path)) return
          const file = fileAt(path, change)
          if (file.kind === 'folder') syncFolder(path, change.from)
          else syncFile(file, change.from)
          return
        }
        case 'rename':
          rename(path, { path: change.to, file: fileAt(path, change) })
          return
        case 'remove':
          fileAt(path, change)
          rename(path, undefined)
          return
        case 'make folder':
          make(path, 'folder')
      }
    },
  }
}

const fileOf = (bytes: Buffer | null): DiskFile => ({
  kind: bytes === null ? 'folder' : 'file',
  durable: bytes ?? Buffer.alloc(0),
  pending: [],
  version: 0,
})

/** Size of a file after these changes. */
export const sizeAfter = (size: number, pending: readonly Pending[]): number =>
  pending.reduce((now, one) => ('size' in one ? one.size : Math.max(now, one.offset + one.bytes.length)), size)

const sizeOf = (file: DiskFile) => sizeAfter(file.durable.length, file.pending)

/** A file's bytes after all of these changes. */
export function written(before: Buffer, pending: readonly Pending[]): Buffer {
  if (pending.length === 0) return before
  const largest = pending.reduce(
    (now, one) => Math.max(now, 'size' in one ? one.size : one.offset + one.bytes.length),
    before.length,
  )
  const bytes = Buffer.alloc(largest)
  before.copy(bytes)
  let size = before.length
  for (const one of pending) {
    if ('size' in one) {
      bytes.fill(0, one.size)
      size = one.size
    } else {
      one.bytes.copy(bytes, one.offset)
      size = Math.max(size, one.offset + one.bytes.length)
    }
  }
  return bytes.subarray(0, size)
}

/** A list of names after one more change. */
export function renamed(names: Map<string, DiskFile>, { gone, come }: PendingName): void {
  if (gone !== undefined) names.delete(gone)
  if (come) names.set(come.path, come.file)
}
