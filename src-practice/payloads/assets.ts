import type { z } from 'zod'
import type { Asset } from '../../src-shared/service/assets'
import { wireUuid } from '../../src-shared/service/wire-ids'
import type { AssetRecord } from '../catalogue/assets'

/** An asset: its text, or the address of its file. A field that its type does not have is null. Spec: Asset. */
export const assetPayload = (record: AssetRecord, url: (file: string) => string) =>
  ({
    uuid: wireUuid(record.uuid),
    name: record.name,
    content: record.asset_type === 'texts' ? record.content : url(record.content),
    description: record.asset_type === 'videos' ? record.description : null,
    usage: record.asset_type === 'texts' ? record.usage : null,
  }) satisfies z.input<typeof Asset>
