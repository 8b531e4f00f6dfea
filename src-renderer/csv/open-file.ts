import { type Encoding, type FileProblem, type FileText, readText } from '../../src-shared/csv/read'
import type { Delimiter } from '../../src-shared/csv/table'
import { type Result, err } from '../../src-shared/result'

/** Slightly more than `readText` accepts. */
const mostBytes = 51 * 1024 * 1024

/** A file that a person chose or dropped. */
export type ChosenFile = Pick<File, 'name' | 'slice'>

/** Why a file can't be read. */
export type CsvProblem = FileProblem | { code: 'file/unreadable' }

/** How a person said that a file is to be read; the rest is recognized. */
export interface ReadAs {
  encoding?: Encoding
  delimiter?: Delimiter
}

/** Reads the text of a chosen file. */
export async function openFile(file: ChosenFile, { encoding }: ReadAs = {}): Promise<Result<FileText, CsvProblem>> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.slice(0, mostBytes).arrayBuffer())
  } catch {
    // Removed, or a folder.
    return err({ code: 'file/unreadable' })
  }
  return readText(bytes, encoding)
}
