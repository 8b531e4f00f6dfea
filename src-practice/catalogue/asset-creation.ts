import { z } from 'zod'
import { assetCreates } from '../../src-shared/service/assets'
import type { AssetType } from '../../src-shared/service/allowed-values'
import { type Result, err, ok } from '../../src-shared/result'
import type { Refusal } from '../http/answers'
import type { Parts } from '../http/context'
import { readWire, wrongField } from '../http/wire-fields'
import { newShortUuid } from '../store/short-id'
import { type AssetRecord, createAssetTable } from './assets'
import { createMediaTable } from './media'
import { type UploadKind, readUpload } from './uploads'

/** The file comes as Base64 and is decoded by a rule of its own. */
const fileShape = { ...assetCreates.videos.shape, content: z.string() }

/**
 * Makes an asset of a company: of a text as it is, of a file by what its bytes are. Called inside a transaction.
 * Spec: Endpoints > Assets (v1.5).
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
