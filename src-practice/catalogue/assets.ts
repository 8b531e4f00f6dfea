import { z } from 'zod'
import { err, ok, type Result } from '../../src-shared/result'
import type { AssetType } from '../../src-shared/service/allowed-values'
import { assetCreates } from '../../src-shared/service/assets'
import { AssetData } from '../data/people'
import type { Listed, Refusal } from '../http/endpoint'
import type { Parts } from '../http/context'
import { readWire, wrongField } from '../http/body'
import { command, json, newShortUuid, query, type Store } from '../store/query'

/** The type of a file, from its first bytes: its name and its sender are not considered. */

interface FileType {
  mimeType: string
  /** Without a dot. */
  extension: string
}

const signatures: [extension: string, mimeType: string, offset: number, bytes: number[]][] = [
  ['png', 'image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpg', 'image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['gif', 'image/gif', 0, ascii('GIF87a')],
  ['gif', 'image/gif', 0, ascii('GIF89a')],
  ['pdf', 'application/pdf', 0, ascii('%PDF-')],
  ['webm', 'video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['ogv', 'video/ogg', 0, ascii('OggS')],
  ['zip', 'application/zip', 0, [0x50, 0x4b, 0x03, 0x04]],
]

/** Brands of ISO base media files (`ftyp` at byte 4); all other brands are MP4. */
const brands: Record<string, FileType> = {
  'qt  ': { mimeType: 'video/quicktime', extension: 'mov' },
  avif: { mimeType: 'image/avif', extension: 'avif' },
}

/** A file of unknown type: stored unchanged, and never displayed by a browser. */
const unknown: FileType = { mimeType: 'application/octet-stream', extension: 'bin' }

export function fileTypeOf(bytes: Uint8Array): FileType {
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP')
    return { mimeType: 'image/webp', extension: 'webp' }
  if (textAt(bytes, 4, 4) === 'ftyp') return brands[textAt(bytes, 8, 4)] ?? { mimeType: 'video/mp4', extension: 'mp4' }
  const known = signatures.find(([, , offset, start]) => start.every((byte, at) => bytes[offset + at] === byte))
  if (known) return { mimeType: known[1], extension: known[0] }
  return isSvg(bytes) ? { mimeType: 'image/svg+xml', extension: 'svg' } : unknown
}

/** An SVG is text: its root element follows a declaration, a doctype and comments, each with its own end mark. */
function isSvg(bytes: Uint8Array): boolean {
  let rest = textAt(bytes, 0, 4000)
    .replace(/^\uFEFF/, '')
    .trimStart()
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : /^<[?!]/.test(rest) ? '>' : undefined
    if (end === undefined) return /^<svg[\s>]/i.test(rest)
    const at = rest.indexOf(end)
    if (at < 0) return false
    rest = rest.slice(at + end.length).trimStart()
  }
}

function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(offset, offset + length))
}

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0))
}

/** A file that arrived as Base64, with its detected type. */
export interface Upload extends FileType {
  bytes: Uint8Array
}

/** Limits of uploads. Sizes are in bytes of the decoded file; the specification shows none. */
const uploadKinds = {
  images: { largest: 5_000_000, isWelcome: (mimeType: string) => mimeType.startsWith('image/'), what: 'an image' },
  videos: { largest: 20_000_000, isWelcome: (mimeType: string) => mimeType.startsWith('video/'), what: 'a video' },
  files: { largest: 10_000_000, isWelcome: () => true, what: 'a file' },
} as const
type UploadKind = keyof typeof uploadKinds

/** Decodes a file. The error is a message for its field: not Base64, too large, wrong type. */
export function readUpload(base64: string, kind: UploadKind): Result<Upload, string> {
  const { largest, isWelcome, what } = uploadKinds[kind]
  // Checked first, because Node's decoder skips invalid characters.
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return err('Not a valid Base64 text.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > largest) return err(`The file is larger than ${largest} bytes.`)
  const type = fileTypeOf(bytes)
  return isWelcome(type.mimeType) ? ok({ ...type, bytes }) : err(`The file is not ${what} of a known type.`)
}

/** Uploaded files: each is written once under its own name and served under `/media/`. */
export function createMediaTable(store: Store, now: () => Date) {
  const insert = command(store, 'INSERT INTO media (file, mime_type, bytes, added_on) VALUES (?, ?, ?, ?)')
  // A photo that an asset uses stays.
  const drop = command(
    store,
    `DELETE FROM media WHERE file = ? AND file NOT IN
       (SELECT body ->> 'content' FROM assets WHERE asset_type <> 'texts')`,
  )
  return {
    /** Returns the name. */
    add(upload: Upload): string {
      const file = `${newShortUuid()}.${upload.extension}`
      insert(file, upload.mimeType, upload.bytes, now().toISOString())
      return file
    },
    /** Deletes a photo that was replaced. */
    drop: (file: string) => {
      drop(file)
    },
  }
}
export type MediaTable = ReturnType<typeof createMediaTable>

const AssetFileRow = z.object({ mime_type: z.string(), bytes: z.instanceof(Uint8Array) })

/** Reads a stored file. */
export function createMediaReader(store: Store) {
  const stored = query(store, 'SELECT mime_type, bytes FROM media WHERE file = ?', AssetFileRow)
  return (file: string) => stored.get(file)
}

/** As in the data file: `content` is the text, or the name of a file under `/media/`. */
export const AssetRecord = z.object(AssetData.shape)
export type AssetRecord = z.infer<typeof AssetRecord>

const AssetRow = z.object({ body: json(AssetRecord) }).transform(({ body }) => body)
const AssetTotal = z.object({ n: z.number() })

/** The assets of companies; each company sees only its own. */
export function createAssetTable(store: Store) {
  const from = 'FROM assets WHERE company_uuid = ? AND asset_type = ?'
  const find = query(store, `SELECT body ${from} AND uuid = ?`, AssetRow)
  const count = query(store, `SELECT count(*) AS n ${from}`, AssetTotal)
  const some = query(store, `SELECT body ${from} ORDER BY rowid LIMIT +? OFFSET +?`, AssetRow)
  const insert = command(store, 'INSERT INTO assets (uuid, company_uuid, asset_type, body) VALUES (?, ?, ?, ?)')
  const remove = command(store, 'DELETE FROM assets WHERE uuid = ?')

  return {
    find: (type: AssetType, uuid: string | undefined, companyUuid: string) =>
      uuid === undefined ? undefined : find.get(companyUuid, type, uuid),
    /** In order of creation. */
    list: (type: AssetType, companyUuid: string): Listed<AssetRecord> => ({
      count: count.get(companyUuid, type)?.n ?? 0,
      slice: (limit, offset) => some.all(companyUuid, type, limit, offset),
    }),
    insert: (record: AssetRecord) => {
      insert(record.uuid, record.company_uuid, record.asset_type, JSON.stringify(record))
    },
    remove: (uuid: string) => {
      remove(uuid)
    },
  }
}
export type AssetTable = ReturnType<typeof createAssetTable>

/** The file arrives as Base64 and is decoded separately. */
const fileShape = { ...assetCreates.videos.shape, content: z.string() }

/**
 * Creates an asset of a company from a text or a file. Must be called inside a transaction. Spec: Endpoints > Assets
 * (v1.5).
 */
export function createAssetCreation({ store, now }: Parts) {
  const table = createAssetTable(store)
  const media = createMediaTable(store, now)

  function keep(record: Omit<AssetRecord, 'uuid'>): Result<AssetRecord, Refusal> {
    const asset = { uuid: newShortUuid(), ...record }
    table.insert(asset)
    return ok(asset)
  }

  function createText(json: unknown, company_uuid: string): Result<AssetRecord, Refusal> {
    const fields = readWire(json, assetCreates.texts.shape)
    if (!fields.ok) return fields
    const { name, content, usage = '' } = fields.value
    return keep({ company_uuid, asset_type: 'texts', name, content, description: '', usage })
  }

  function createFile(type: UploadKind, json: unknown, company_uuid: string): Result<AssetRecord, Refusal> {
    const fields = readWire(json, fileShape)
    if (!fields.ok) return fields
    const upload = readUpload(fields.value.content, type)
    if (!upload.ok) return err(wrongField('content', upload.error))
    const { name, description = '' } = fields.value
    const content = media.add(upload.value)
    return keep({
      company_uuid,
      asset_type: type,
      name,
      content,
      description: type === 'videos' ? description : '',
      usage: '',
    })
  }

  return (type: AssetType, json: unknown, companyUuid: string) =>
    type === 'texts' ? createText(json, companyUuid) : createFile(type, json, companyUuid)
}
