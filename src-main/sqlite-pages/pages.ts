import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'

/** A write-ahead log on the disk (SQLite's file format, "The Write-Ahead Log"). */
interface Wal {
  pageSize: number
  bytes: Buffer
  /** Page number -> offset of its newest committed content. */
  pages: Map<number, number>
  /** Size of the database in pages after the last commit; 0 if there is none. */
  pageCount: number
}

const headerSize = 32
const frameHeaderSize = 24

/** In bytes; 0 if there is no such file. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/**
 * Whether SQLite can read a log at all: a log without a valid header, or with nothing behind it, holds no commit. What
 * of a readable log is committed, only SQLite decides: a whole commit behind a bad frame proves nothing, because it may
 * be what is left of a commit that failed, or that a power cut tore, before shorter ones were written over its beginning.
 */
export const isLogReadable = (file: string): boolean =>
  sizeOf(file) > headerSize && isWalHeader(firstBytes(file, headerSize))

function firstBytes(file: string, length: number): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(handle, bytes, 0, length, 0))
  } finally {
    closeSync(handle)
  }
}

/**
 * For salvaging only: reads more of a log than SQLite, which stops at the first bad frame. Each frame's checksum continues
 * from the one stored in the frame before it, so the frames after a bad one can still be verified. Undefined if there is
 * no log.
 */
export function readWal(file: string): Wal | undefined {
  if (sizeOf(file) === 0) return undefined
  const bytes = readFileSync(file)
  const hasHeader = isWalHeader(bytes)
  const pageSize = hasHeader ? bytes.readUInt32BE(8) : 4096
  const frames = readFrames(bytes, pageSize, hasHeader)

  const pages = new Map<number, number>()
  const sinceCommit = new Map<number, number>()
  let pageCount = 0
  for (const frame of frames) {
    if (frame === 'bad') continue
    sinceCommit.set(frame.page, frame.at)
    if (frame.committedPages === 0) continue
    for (const [page, at] of sinceCommit) pages.set(page, at)
    sinceCommit.clear()
    pageCount = frame.committedPages
  }
  return { pageSize, bytes, pages, pageCount }
}

interface Frame {
  page: number
  /** The offset of the page's content. */
  at: number
  /** In the last frame of a commit: the size of the database in pages; otherwise 0. */
  committedPages: number
}

/** The frames of the log's current round; leftovers of earlier rounds after them are skipped. */
function readFrames(bytes: Buffer, pageSize: number, hasHeader: boolean): (Frame | 'bad')[] {
  const frameSize = frameHeaderSize + pageSize
  const isBig = hasHeader && bytes.readUInt32BE(0) === bigEndianMagic
  // The salt tells the rounds apart. Without a header, the salt of the first verified frame is used.
  let salt = hasHeader ? bytes.subarray(16, 24) : undefined
  let previous = hasHeader ? checksumAt(bytes, 24) : undefined
  const frames: (Frame | 'bad')[] = []
  let provedUpTo = 0
  for (let at = headerSize; at + frameSize <= bytes.length; at += frameSize) {
    const content = at + frameHeaderSize
    const own = checksumAt(bytes, at + 16)
    const isProved =
      previous !== undefined &&
      isSame(own, checksum(bytes, content, pageSize, checksum(bytes, at, 8, previous, isBig), isBig))
    previous = own
    const ownSalt = bytes.subarray(at + 8, at + 16)
    if (isProved) salt ??= ownSalt
    if (!isProved || !salt?.equals(ownSalt)) {
      frames.push('bad')
      continue
    }
    frames.push({ page: bytes.readUInt32BE(at), at: content, committedPages: bytes.readUInt32BE(at + 4) })
    provedUpTo = frames.length
  }
  return frames.slice(0, provedUpTo)
}

type Checksum = readonly [number, number]
const checksumAt = (bytes: Buffer, at: number): Checksum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
const isSame = (one: Checksum, other: Checksum) => one[0] === other[0] && one[1] === other[1]

function checksum(bytes: Buffer, from: number, length: number, [a, b]: Checksum, isBig: boolean): Checksum {
  let first = a
  let second = b
  for (let at = from; at < from + length; at += 8) {
    first = (first + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0
    second = (second + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0
  }
  return [first, second]
}

const littleEndianMagic = 0x377f0682
const bigEndianMagic = 0x377f0683

function isWalHeader(bytes: Buffer): boolean {
  if (bytes.length < headerSize) return false
  const magic = bytes.readUInt32BE(0)
  if (magic !== littleEndianMagic && magic !== bigEndianMagic) return false
  if (!isPageSize(bytes.readUInt32BE(8))) return false
  return isSame(checksumAt(bytes, 24), checksum(bytes, 0, 24, [0, 0], magic === bigEndianMagic))
}

const isPageSize = (size: number) => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0

/** The pages of a database that SQLite may refuse to open: the file overlaid with its write-ahead log. */
export interface Pages {
  count: number
  /** The usable bytes of a page. */
  usable: number
  /** The content of a page, numbered from 1; undefined if it can't be read. */
  page(number: number): Buffer | undefined
  /** `PRAGMA user_version`; undefined if the first page is lost. */
  version: number | undefined
  wal: Wal | undefined
  close(): void
}

const magic = 'SQLite format 3\0'

/** Reads only; the damaged files stay unchanged. Throws if the disk can't read them, here and later. */
export function openPages(file: string): Pages {
  const wal = readWal(`${file}-wal`)
  const handle = existsSync(file) ? openSync(file, 'r') : undefined
  const fileSize = sizeOf(file)

  const readAt = (at: number, length: number): Buffer | undefined => {
    if (handle === undefined || at >= fileSize) return undefined
    const bytes = Buffer.alloc(length)
    readSync(handle, bytes, 0, length, at)
    return bytes
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
