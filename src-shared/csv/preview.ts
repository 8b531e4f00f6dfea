import type { Table } from './table'

/** A column of a file: its place, its name if the file has names, and its first value. */
export interface FileColumn {
  at: number
  name: string | null
  example: string
}

const previewed = 4

/** The columns of a file and its first lines, for a person who matches them. */
export function previewOf({ header, rows, columnCount }: Table): { columns: FileColumn[]; preview: string[][] } {
  return {
    columns: Array.from({ length: columnCount }, (_, at) => ({
      at,
      name: header?.cells[at]?.trim() || null,
      example: rows.find(({ cells }) => (cells[at] ?? '').trim() !== '')?.cells[at]?.trim() ?? '',
    })),
    preview: rows.slice(0, previewed).map(({ cells }) => cells.slice(0, columnCount)),
  }
}
