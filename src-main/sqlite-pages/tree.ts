import type { Pages } from './pages'

/** SQLite's row format (its file format, "Record Format"). Unreadable values are undefined, never a guess. */

export type Value = null | number | string | Buffer

/** A number of one to nine bytes, and the offset after it. Numbers larger than the app ever writes count as unreadable. */
export function readVarint(bytes: Buffer, at: number): { value: number; next: number } | undefined {
  let value = 0
  for (let i = at; i < at + 8; i++) {
    const byte = bytes[i]
    if (byte === undefined) return undefined
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return Number.isSafeInteger(value) ? { value, next: i + 1 } : undefined
  }
  return undefined
}

const integerSizes = [0, 1, 2, 3, 4, 6, 8]
// Text that isn't UTF-8 counts as damaged: no value is better than a wrong one.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The columns of a row. */
export function readRecord(record: Buffer): Value[] | undefined {
  const header = readVarint(record, 0)
  if (!header || header.value > record.length) return undefined
  const values: Value[] = []
  let at = header.next
  let body = header.value
  while (at < header.value) {
    const type = readVarint(record, at)
    if (!type) return undefined
    const size = sizeOf(type.value)
    const value = readValue(type.value, record.subarray(body, body + size))
    if (value === undefined || body + size > record.length) return undefined
    values.push(value)
    at = type.next
    body += size
  }
  return at === header.value && body === record.length ? values : undefined
}

function sizeOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  if (type === 7) return 8
  return integerSizes[type] ?? 0
}

function readValue(type: number, bytes: Buffer): Value | undefined {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (type === 10 || type === 11) return undefined
  if (bytes.length !== sizeOf(type)) return undefined
  if (type === 7) return bytes.readDoubleBE(0)
  if (type < 7) return readInteger(bytes)
  return type % 2 === 0 ? Buffer.from(bytes) : readText(bytes)
}

function readInteger(bytes: Buffer): number | undefined {
  if (bytes.length <= 6) return bytes.readIntBE(0, bytes.length)
  const value = Number(bytes.readBigInt64BE(0))
  return Number.isSafeInteger(value) ? value : undefined
}

function readText(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** A row on a page. `rowid` is 0 in tables without one. */
export interface FoundRow {
  rowid: number
  values: Value[]
}

/** `table`: tables with a rowid. `index`: tables without a rowid, and indexes. */
export type TreeKind = 'table' | 'index'

interface TreePage {
  children: number[]
  found: FoundRow[]
  /** Unreadable rows on the page. */
  lost: number
}

const interior = { table: 5, index: 2 }
const leaf = { table: 13, index: 10 }

/** Whether a page looks like part of a tree of this kind. */
export function isPageOf(kind: TreeKind, pages: Pages, number: number): boolean {
  const type = pages.page(number)?.[headerAt(number)]
  return type === interior[kind] || type === leaf[kind]
}

export interface Walk {
  /** Pages reached so far, including those of trees walked earlier. */
  seen: Set<number>
  /** Called for everything that should be there but can't be read. */
  onLoss: () => void
}

/** All reachable rows of a tree. An unreadable page loses only the rows on it and below it. */
export function* walkTree(pages: Pages, root: number, kind: TreeKind, walk: Walk): Generator<FoundRow> {
  const below = [root]
  for (let number = below.pop(); number !== undefined; number = below.pop()) {
    const page = walk.seen.has(number) ? undefined : readPage(pages, number, kind)
    walk.seen.add(number)
    if (!page) {
      walk.onLoss()
      continue
    }
    for (let i = 0; i < page.lost; i++) walk.onLoss()
    yield* page.found
    below.push(...page.children.reverse())
  }
}

/** The rows of table leaf pages that no walk reached: pages below a broken page, and pages that were moved elsewhere. */
export function* strayRows(pages: Pages, seen: Set<number>): Generator<FoundRow> {
  for (let number = 1; number <= pages.count; number++) {
    if (seen.has(number) || pages.page(number)?.[headerAt(number)] !== leaf.table) continue
    yield* readPage(pages, number, 'table')?.found ?? []
  }
}

/** The first page begins with the file header. */
const headerAt = (number: number) => (number === 1 ? 100 : 0)

function readPage(pages: Pages, number: number, kind: TreeKind): TreePage | undefined {
  const bytes = pages.page(number)
  const start = headerAt(number)
  const type = bytes?.[start]
  if (!bytes || (type !== interior[kind] && type !== leaf[kind])) return undefined
  const isInterior = type === interior[kind]
  const cells = bytes.readUInt16BE(start + 3)
  const pointers = start + (isInterior ? 12 : 8)
  if (pointers + cells * 2 > pages.usable) return undefined

  const page: TreePage = { children: [], found: [], lost: 0 }
  for (let i = 0; i < cells; i++) {
    const at = bytes.readUInt16BE(pointers + i * 2)
    if (isInterior) {
      if (at + 4 > pages.usable) page.lost++
      else page.children.push(bytes.readUInt32BE(at))
      if (kind === 'table') continue
    }
    const found = readCell(pages, bytes, isInterior ? at + 4 : at, kind)
    if (found) page.found.push(found)
    else page.lost++
  }
  if (isInterior) page.children.push(bytes.readUInt32BE(start + 8))
  return page
}

function readCell(pages: Pages, bytes: Buffer, at: number, kind: TreeKind): FoundRow | undefined {
  const length = readVarint(bytes, at)
  const rowid = length && (kind === 'table' ? readVarint(bytes, length.next) : { value: 0, next: length.next })
  const record = rowid && readPayload(pages, bytes, rowid.next, length.value, kind)
  const values = record && readRecord(record)
  return values && { rowid: rowid.value, values }
}

/**
 * A payload that doesn't fit on a page continues on a chain of overflow pages (SQLite's file format, "Cell Payload
 * Overflow Pages").
 */
function readPayload(pages: Pages, bytes: Buffer, at: number, length: number, kind: TreeKind): Buffer | undefined {
  const { usable } = pages
  const most = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const spread = least + ((length - least) % (usable - 4))
  const here = length <= most ? length : spread <= most ? spread : least
  if (at + here > usable || length > pages.count * usable) return undefined
  const parts = [bytes.subarray(at, at + here)]
  let missing = length - here
  if (missing > 0 && at + here + 4 > usable) return undefined
  let next = missing > 0 ? bytes.readUInt32BE(at + here) : 0
  while (missing > 0) {
    const page = pages.page(next)
    if (!page) return undefined
    const part = page.subarray(4, Math.min(4 + missing, usable))
    parts.push(part)
    missing -= part.length
    next = page.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}
