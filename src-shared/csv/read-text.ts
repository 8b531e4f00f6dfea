import { type Result, err, ok } from '../result'

/** Why a file can't be read as CSV at all. */
export type FileProblem =
  | { code: 'csv/empty' }
  /** An Excel workbook: it has to be saved as CSV first. */
  | { code: 'csv/workbook' }
  /** Not a text. */
  | { code: 'csv/binary' }
  | { code: 'csv/too-large'; mostBytes: number }

/** `windows-1252` is a guess, the only one: whoever shows the text should say so, for names may look odd. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface FileText {
  text: string
  encoding: Encoding
}

const mostBytes = 50 * 1024 * 1024

/** Characters that no text has; tabs, line and form feeds are none of them, nor is the Ctrl+Z of old files. */
// oxlint-disable-next-line no-control-regex
const notText = /[\0-\x08\x0E-\x19\x1B-\x1F]/

/** A zip (xlsx, ods) and the format of older workbooks. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** The text of a file: UTF-8 and UTF-16 as they say they are, UTF-8 where it proves to be, else Windows-1252. */
export function readText(bytes: Uint8Array): Result<FileText, FileProblem> {
  if (bytes.length > mostBytes) return err({ code: 'csv/too-large', mostBytes })
  if (workbooks.some((magic) => startsWith(bytes, magic))) return err({ code: 'csv/workbook' })
  const found = decoded(bytes)
  if (!found || found.text.includes('\0')) return err({ code: 'csv/binary' })
  // Any bytes are Windows-1252: what holds characters that no text has is none.
  if (found.encoding === 'windows-1252' && notText.test(found.text)) return err({ code: 'csv/binary' })
  if (found.text.trim() === '') return err({ code: 'csv/empty' })
  return ok(found)
}

function decoded(bytes: Uint8Array): FileText | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return decodedAs(bytes, 'utf-16le')
  if (startsWith(bytes, [0xfe, 0xff])) return decodedAs(bytes, 'utf-16be')
  return decodedAs(bytes, 'utf-8') ?? decodedAs(bytes, 'windows-1252')
}

/** Without the mark in front; undefined when the bytes are not of this encoding. */
function decodedAs(bytes: Uint8Array, encoding: Encoding): FileText | undefined {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding }
  } catch {
    return undefined
  }
}

const startsWith = (bytes: Uint8Array, magic: number[]) => magic.every((byte, at) => bytes[at] === byte)
