/** A line as its cells. `line`: its number in the file, from 1. */
export interface FileLine {
  line: number
  cells: string[]
  /** Its quotes are not closed properly, so its cells may be wrong. */
  isBroken: boolean
}

/** What was recognized in a file, what counts now, and what a person may choose; one choice if no other would be read otherwise. */
export interface Recognized<Value> {
  guess: Value
  value: Value
  choices: readonly Value[]
}

export type Delimiter = ';' | '\t' | ',' | '|'

/** A file as a table. Line ends inside a cell are `\n`. */
export interface Table {
  delimiter: Recognized<Delimiter>
  /** The line that names the columns; null if there is none. Lines above it are ignored. */
  header: FileLine | null
  /** Lines that are not empty. */
  rows: FileLine[]
  /** How many columns a line should have. */
  columnCount: number
  /** The file has more lines than were asked for: the rest was not read. */
  isCut: boolean
}

/** What the columns of a file are recognized by. */
export type Columns = Pick<Table, 'header' | 'rows' | 'columnCount'>
