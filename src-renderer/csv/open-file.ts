import { type Encoding, type FileProblem, readText } from '../../src-shared/csv/read'
import { type Result, err } from '../../src-shared/result'

/** Slightly more than `readText` accepts. */
const mostBytes = 51 * 1024 * 1024

/** A file that a person chose or dropped. */
export type ChosenFile = Pick<File, 'name' | 'slice'>

/** Why a file can't be read. */
export type CsvProblem = FileProblem | { code: 'file/unreadable' }

/** Reads the text of a chosen file. */
export async function openFile(file: ChosenFile): Promise<Result<{ text: string; encoding: Encoding }, CsvProblem>> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.slice(0, mostBytes).arrayBuffer())
  } catch {
    // Removed, or a folder.
    return err({ code: 'file/unreadable' })
  }
  return readText(bytes)
}
