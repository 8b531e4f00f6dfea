/**
 * Reports as scanners send them, built from the documented layouts (src-main/scanner/scanner.md):
 * - `common`: id, length, AIM id, 56 bytes of data, the maker's own id, a free byte, continued (Honeywell, Access-IS).
 * - `short`: the same without the two bytes before the last: 62 bytes.
 * - `late`: a free byte in front of the AIM id (Zebra).
 * - `no-aim`: the data where the AIM id would be (Newland).
 * - `empty-aim`: the AIM id's three bytes are zero. `late-empty-aim`: the same, a byte later.
 * - `no-id`, `late-no-id`: `common` and `late` without the report id in front.
 */
export type Layout = 'common' | 'short' | 'late' | 'no-aim' | 'empty-aim' | 'late-empty-aim' | 'no-id' | 'late-no-id'

interface ReportOptions {
  layout?: Layout
  aim?: string
  isContinued?: boolean
  /** Replaces the real length. */
  length?: number
}

const room = 56
const bytesOf = (data: string | Uint8Array) => (typeof data === 'string' ? new TextEncoder().encode(data) : data)

/** One report with at most 56 bytes of data. */
export function report(data: string | Uint8Array, options: ReportOptions = {}): Uint8Array {
  const { layout = 'common', aim = ']Q1', isContinued = false, length } = options
  const bytes = bytesOf(data)
  if (bytes.length > room) throw new Error(`${bytes.length} bytes do not fit into one report`)
  const hasEmptyAim = layout === 'empty-aim' || layout === 'late-empty-aim'
  const isLate = layout === 'late' || layout === 'late-empty-aim' || layout === 'late-no-id'
  const head = [
    ...(layout === 'no-id' || layout === 'late-no-id' ? [] : [2]),
    length ?? bytes.length,
    ...(isLate ? [0] : []),
    ...(layout === 'no-aim' ? [] : hasEmptyAim ? [0, 0, 0] : bytesOf(aim)),
  ]
  const body = new Uint8Array(room)
  body.set(bytes)
  const tail = layout === 'short' ? [] : isLate ? [0x73] : layout === 'no-aim' ? [0, 0, 0, 0, 0x73] : [0x73, 0x31]
  return Uint8Array.from([...head, ...body, ...tail, isContinued ? 1 : 0])
}

/** As many reports as a text needs, all but the last marked "continued". */
export function reports(data: string | Uint8Array, options: ReportOptions = {}): Uint8Array[] {
  const bytes = bytesOf(data)
  const starts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / room)) }, (_, index) => index * room)
  return starts.map((start) =>
    report(bytes.subarray(start, start + room), { ...options, isContinued: start + room < bytes.length }),
  )
}

export const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
