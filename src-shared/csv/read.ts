import Papa from 'papaparse'
import { type Result, err, ok } from '../result'
import { countKnown, mapHeader } from './columns'
import type { Delimiter, FileLine, Recognized, Table } from './table'

/** Why a file can't be read as CSV. */
export type FileProblem =
  | { code: 'csv/empty' }
  /** An Excel workbook: must be saved as CSV first. */
  | { code: 'csv/workbook' }
  /** Not a text file. */
  | { code: 'csv/binary' }
  | { code: 'csv/too-large'; mostBytes: number }

/** `windows-1252` is a guess: screens should say so, because names may look wrong. `macintosh` is never guessed. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

export interface FileText {
  text: string
  encoding: Recognized<Encoding>
}

interface Decoded {
  text: string
  encoding: Encoding
}

const mostBytes = 50 * 1024 * 1024

/** Control characters that don't occur in text. Tabs, line and form feeds are allowed, and the Ctrl+Z of old files. */
// oxlint-disable-next-line no-control-regex
const notText = /[\0-\x08\x0E-\x19\x1B-\x1F]/

/** First bytes of a zip (xlsx, ods) and of older workbooks. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** Beyond ASCII, any bytes can be read as each of these. */
const choices = ['utf-8', 'windows-1252', 'macintosh'] as const satisfies Encoding[]
// oxlint-disable-next-line no-control-regex
const beyondAscii = /[^\0-\x7F]/

/**
 * Decodes a file: UTF-16 by its byte order mark or by its zeros, UTF-8 if valid, else Windows-1252. `chosen` counts instead, with a
 * replacement character for what is not valid in it.
 */
export function readText(bytes: Uint8Array, chosen?: Encoding): Result<FileText, FileProblem> {
  if (bytes.length > mostBytes) return err({ code: 'csv/too-large', mostBytes })
  if (workbooks.some((magic) => startsWith(bytes, magic))) return err({ code: 'csv/workbook' })
  const found = decoded(bytes)
  if (!found || found.text.includes('\0')) return err({ code: 'csv/binary' })
  // Any bytes are valid Windows-1252; control characters show a file that isn't text.
  if (found.encoding === 'windows-1252' && notText.test(found.text)) return err({ code: 'csv/binary' })
  if (found.text.trim() === '') return err({ code: 'csv/empty' })
  const guess = found.encoding
  const isSure = guess.startsWith('utf-16') || startsWith(bytes, utf8Mark) || !beyondAscii.test(found.text)
  const value = isSure ? guess : (chosen ?? guess)
  const text = value === guess ? found.text : new TextDecoder(value).decode(bytes)
  return ok({ text, encoding: { guess, value, choices: isSure ? [guess] : choices } })
}

const utf8Mark = [0xef, 0xbb, 0xbf]

function decoded(bytes: Uint8Array): Decoded | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return decodedAs(bytes, 'utf-16le')
  if (startsWith(bytes, [0xfe, 0xff])) return decodedAs(bytes, 'utf-16be')
  const wide = wideWithoutMark(bytes)
  if (wide) return decodedAs(bytes, wide)
  return decodedAs(bytes, 'utf-8') ?? decodedAs(bytes, 'windows-1252')
}

/** Bytes that are looked at to recognize UTF-16. */
const looked = 4_096

/** Text in UTF-16 without a mark: nearly every second byte is zero, and no other. Undefined for any other file. */
function wideWithoutMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined
  const zeros = [0, 0]
  const end = Math.min(bytes.length, looked)
  for (let at = 0; at < end; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = (end / 2) * 0.7
  if (odd >= most && even === 0) return 'utf-16le'
  return even >= most && odd === 0 ? 'utf-16be' : undefined
}

/** The text without its byte order mark; undefined if the bytes are not valid in this encoding. */
function decodedAs(bytes: Uint8Array, encoding: Encoding): Decoded | undefined {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding }
  } catch {
    return undefined
  }
}

const startsWith = (bytes: Uint8Array, magic: number[]) => magic.every((byte, at) => bytes[at] === byte)

interface Reading {
  /** How many columns of a line are known by their names: finds the header. Default: those of a catalog. */
  knownIn?: (cells: string[]) => number
  /** So many lines are read at most. Default: all. */
  mostLines?: number
  /** What a person said that the columns are separated by. Default: what is recognized. */
  delimiter?: Delimiter | undefined
}

const delimiters: readonly Delimiter[] = [';', '\t', ',', '|']
/** Spreadsheets may write the delimiter in the first line. */
const namedDelimiter = /^"?sep=([;,\t|])"?\n/i
/** Lines examined to find the delimiter, in so many characters, and lines examined to find the header below titles. */
const tried = 50
const triedCharacters = 1_000_000
const titles = 10

const knownInCatalogue = (cells: string[]) => countKnown(cells, mapHeader)

/** Parses CSV; finds delimiter and header by itself. */
export function parseTable(
  text: string,
  { knownIn = knownInCatalogue, mostLines, delimiter: chosen }: Reading = {},
): Table {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const named = namedDelimiter.exec(lines)
  const own = delimiters.find((one) => one === named?.[1])
  const likely = own ? [own] : likeliest(lines)
  const guess = likely[0] ?? ','
  const delimiter = chosen ?? guess
  const [body, firstLine] = named ? [lines.slice(named[0].length), 2] : [lines, 1]
  // One more shows that there are more.
  const all = parseLines(body, delimiter, firstLine, mostLines === undefined ? 0 : mostLines + 1)
  const isCut = mostLines !== undefined && all.length > mostLines
  if (isCut) all.length = mostLines
  const at = headerAt(all, knownIn)
  const header = all[at] ?? null
  const rows = header ? all.slice(at + 1) : all
  const recognized = {
    guess,
    value: delimiter,
    choices: delimiters.filter((one) => one === guess || likely.includes(one)),
  }
  return { delimiter: recognized, header, rows, columnCount: header ? widthOf(header) : usualWidth(rows), isCut }
}

/** Parses lines; one with broken quotes is a line by itself, and the next line is read again. `most`: so many at most; 0: all. */
function parseLines(text: string, delimiter: string, firstLine: number, most: number): FileLine[] {
  const lines: FileLine[] = []
  const isFull = () => most > 0 && lines.length >= most
  let [at, line] = [0, firstLine]
  const takeUntil = (end: number) => {
    const part = text.slice(at, end)
    at = end
    if (part === '') return
    parsePart(part, delimiter, line, (one) => {
      lines.push(one)
      return !isFull()
    })
    line += lineEndsIn(part)
  }
  for (const { start, end } of brokenSpans(text, delimiter)) {
    takeUntil(start)
    if (isFull()) return lines
    const part = text.slice(start, end)
    for (const [place, cell] of part.split('\n').entries()) {
      if (cell.trim() !== '' && !isFull()) lines.push({ line: line + place, cells: [cell], isBroken: true })
    }
    line += lineEndsIn(part)
    at = end
  }
  takeUntil(text.length)
  return lines
}

function lineEndsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/**
 * Where the quotes of a record are not closed properly: from its beginning to the end of the line on which the quote opens, in
 * characters. No quote is looked at twice, but for those behind such a line.
 */
function* brokenSpans(text: string, delimiter: string): Generator<{ start: number; end: number }> {
  // Blanks may stand between a closing quote and the end of its cell.
  const cellEnd = new RegExp(`[^\\S\\n]*?(?:\\n|[${delimiter}]|$)`, 'y')
  /** Behind the quote that closes the cell, or null. */
  const closedAt = (open: number): number | null => {
    for (let quote = text.indexOf('"', open + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      if (text.charAt(quote + 1) === '"') quote++
      else {
        cellEnd.lastIndex = quote + 1
        return cellEnd.test(text) ? cellEnd.lastIndex : null
      }
    }
    return null
  }
  let [record, closed] = [0, 0]
  for (let open = text.indexOf('"'); open !== -1;) {
    const before = open === 0 ? '\n' : text.charAt(open - 1)
    if (before !== '\n' && before !== delimiter) {
      // Not at the beginning of its cell: a character like any other.
      open = text.indexOf('"', open + 1)
      continue
    }
    const lineEndBefore = text.slice(closed, open).lastIndexOf('\n')
    if (lineEndBefore !== -1) record = closed + lineEndBefore + 1
    const end = closedAt(open)
    if (end === null) {
      const lineEnd = text.indexOf('\n', open)
      closed = lineEnd === -1 ? text.length : lineEnd + 1
      yield { start: record, end: closed }
      record = closed
    } else {
      closed = end
      if (text.charAt(end - 1) === '\n') record = end
    }
    open = text.indexOf('"', closed)
  }
}

/** Gives the lines that are not empty to `take`, until it returns false. */
function parsePart(text: string, delimiter: string, firstLine: number, take: (line: FileLine) => boolean): void {
  let line = firstLine
  Papa.parse<string[]>(text, {
    ...{ delimiter, newline: '\n' },
    step: ({ data: cells, errors }, parser) => {
      const isEmpty = cells.every((cell) => cell.trim() === '')
      if (!isEmpty && !take({ line, cells, isBroken: errors.length > 0 })) parser.abort()
      line += 1 + cells.reduce((count, cell) => count + lineEndsIn(cell), 0)
    },
  })
}

/**
 * Those that give columns to most lines. First the one with the largest share of lines of one width, with sound quotes; among
 * equals, the widest.
 */
function likeliest(text: string): Delimiter[] {
  const scored = delimiters.map((delimiter) => {
    const lines = parseLines(text.slice(0, triedCharacters), delimiter, 1, tried)
    const width = usualWidth(lines)
    const isUsual = ({ cells, isBroken }: FileLine) => !isBroken && cells.length === width
    const share = width < 2 ? 0 : lines.filter(isUsual).length / lines.length
    return { delimiter, width, share }
  })
  const best = scored.toSorted((a, b) => b.share - a.share || b.width - a.width)
  return best.filter(({ share }) => share > 0).map(({ delimiter }) => delimiter)
}

/**
 * Index of the line with the most known column names among the first lines; otherwise 0 if the first line looks like
 * names; otherwise -1.
 */
function headerAt(lines: FileLine[], knownIn: (cells: string[]) => number): number {
  const known = lines.slice(0, titles).map(({ cells }) => knownIn(cells))
  const most = Math.max(0, ...known)
  if (most > 1 || (known[0] ?? 0) > 0) return known.indexOf(most)
  return lines[0] && looksLikeNames(lines[0].cells) ? 0 : -1
}

/** Every cell is a different word without digits. */
const looksLikeNames = (cells: string[]) =>
  new Set(cells).size === cells.length && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell))

/** Ignores empty columns at the end, which spreadsheets often leave. */
const widthOf = ({ cells }: FileLine) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

function usualWidth(lines: FileLine[]): number {
  const counts = new Map<number, number>()
  for (const { cells, isBroken } of lines) if (!isBroken) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}
