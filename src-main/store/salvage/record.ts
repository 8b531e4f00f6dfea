/** How SQLite writes a row down (its file format, "Record Format"). What can't be read is undefined, never a guess. */

export type Value = null | number | string | Buffer

/** A number of one to nine bytes, and where the next thing begins. Larger ones than we ever write count as unreadable. */
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
// Text that is not UTF-8 is damaged: better no order number than one with a letter changed.
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
