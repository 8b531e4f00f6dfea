import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { sizeOf } from '../files'
import { type Wal, isPageSize, readWal } from './wal'

/** The pages of a database that SQLite may refuse to open: its file with the write-ahead log laid over it. */
export interface Pages {
  count: number
  /** Bytes of a page that SQLite uses. */
  usable: number
  /** The content of a page, numbered from 1; undefined when it can't be read. */
  page(number: number): Buffer | undefined
  /** `PRAGMA user_version`; undefined when the first page is gone. */
  version: number | undefined
  wal: Wal | undefined
  close(): void
}

const magic = 'SQLite format 3\0'

/** Reads only: what is damaged stays as it was found. */
export function openPages(file: string): Pages {
  const wal = readWal(`${file}-wal`)
  const handle = existsSync(file) ? openSync(file, 'r') : undefined
  const fileSize = sizeOf(file)

  const readAt = (at: number, length: number): Buffer | undefined => {
    if (handle === undefined || at >= fileSize) return undefined
    const bytes = Buffer.alloc(length)
    try {
      readSync(handle, bytes, 0, length, at)
      return bytes
    } catch {
      // A sector that the disk can't read any more: the page is lost, its neighbours aren't.
      return undefined
    }
  }
  const fromWal = (number: number, size: number) => {
    const at = wal?.pageSize === size ? wal.pages.get(number) : undefined
    return at === undefined ? undefined : wal?.bytes.subarray(at, at + size)
  }

  const header = [wal && fromWal(1, wal.pageSize), readAt(0, 100)].find(isHeader)
  const size = header ? pageSizeOf(header) : (wal?.pageSize ?? 4096)
  const inFile = Math.ceil(fileSize / size)
  return {
    count: Math.max(inFile, wal?.pageCount ?? 0),
    usable: size - (header?.[20] ?? 0),
    page: (number) => (number < 1 ? undefined : (fromWal(number, size) ?? readAt((number - 1) * size, size))),
    version: header?.readUInt32BE(60),
    wal,
    close() {
      if (handle !== undefined) closeSync(handle)
    },
  }
}

const isHeader = (page: Buffer | undefined) =>
  page !== undefined && page.toString('latin1', 0, 16) === magic && isPageSize(pageSizeOf(page))

function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16)
  return size === 1 ? 65_536 : size
}
