import Papa from 'papaparse'
import { mapHeader } from './columns'

/** A line of a file as its cells. `line` is where it begins in the file, counted from 1. */
export interface Line {
  line: number
  cells: string[]
  /** Its quotes don't close where they should: what its cells are is a guess. */
  isBroken: boolean
}

/** A file as a table. Line ends inside a cell are `\n`. */
export interface Table {
  delimiter: string
  /** The line that names the columns; null when there is none. What stands above it is left out. */
  header: Line | null
  /** Lines with anything in them. */
  rows: Line[]
  /** How many columns a line should have. */
  columnCount: number
}

const delimiters = [';', '\t', ',']
/** Spreadsheets may name the delimiter in the first line. */
const namedDelimiter = /^"?sep=([;,\t])"?\n/i
/** Lines that are tried to find the delimiter, and the header among titles. */
const tried = 50
const titles = 10

/** Reads CSV: finds delimiter and header by itself. */
export function parseTable(text: string): Table {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const named = namedDelimiter.exec(lines)
  const delimiter = named?.[1] ?? likeliest(lines)
  const all = parseLines(named ? lines.slice(named[0].length) : lines, delimiter, named ? 2 : 1)
  const at = headerAt(all)
  const header = all[at] ?? null
  const rows = header ? all.slice(at + 1) : all
  return { delimiter, header, rows, columnCount: header ? widthOf(header) : usualWidth(rows) }
}

/** After a line with broken quotes it begins anew this often: what follows is not lost with it. */
const mostBroken = 20

function parseLines(text: string, delimiter: string, firstLine: number): Line[] {
  const lines: Line[] = []
  let rest: string | undefined = text
  let line = firstLine
  for (let times = 0; rest !== undefined; times++) {
    const part = parsePart(rest, delimiter, line)
    const at = times < mostBroken ? part.findIndex(({ isBroken }) => isBroken) : -1
    const broken = part[at]
    if (!broken) return [...lines, ...part]
    const behind = rest.split('\n').slice(broken.line - line)
    lines.push(...part.slice(0, at), { ...broken, cells: [behind[0] ?? ''] })
    rest = behind.length > 1 ? behind.slice(1).join('\n') : undefined
    line = broken.line + 1
  }
  return lines
}

function parsePart(text: string, delimiter: string, firstLine: number, preview = 0): Line[] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n', preview })
  const broken = new Set(errors.map((error) => error.row))
  const lines: Line[] = []
  let line = firstLine
  for (const [at, cells] of data.entries()) {
    if (cells.some((cell) => cell.trim() !== '')) lines.push({ line, cells, isBroken: broken.has(at) })
    line += 1 + cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)
  }
  return lines
}

/** The delimiter that gives the most lines of one width, and of those the widest. */
function likeliest(text: string): string {
  const scored = delimiters.map((delimiter) => {
    const lines = parsePart(text, delimiter, 1, tried)
    const width = usualWidth(lines)
    const share = width < 2 ? 0 : lines.filter((line) => line.cells.length === width).length / lines.length
    return { delimiter, width, share }
  })
  const best = scored.toSorted((a, b) => b.share - a.share || b.width - a.width)[0]
  return best && best.share > 0 ? best.delimiter : ','
}

/** The line among the first whose words name the most columns; else a first line that reads like names; else none. */
function headerAt(lines: Line[]): number {
  const known = lines
    .slice(0, titles)
    .map((line) => Object.values(mapHeader(line.cells)).filter((at) => at !== null).length)
  const most = Math.max(0, ...known)
  if (most > 1 || (known[0] ?? 0) > 0) return known.indexOf(most)
  return lines[0] && looksLikeNames(lines[0].cells) ? 0 : -1
}

/** Every cell a different word, and none of it a number or a code with digits. */
const looksLikeNames = (cells: string[]) =>
  new Set(cells).size === cells.length && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell))

/** Without empty columns at the end, which spreadsheets like to leave. */
const widthOf = ({ cells }: Line) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

function usualWidth(lines: Line[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of lines) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}
