import { z } from 'zod'
import type { AssetType } from '../../src-shared/service/allowed-values'
import { AssetData } from '../data/people'
import type { Listed } from '../http/paging'
import { type Store, command, json, query } from '../store/query'

/** As in the data file: `content` is the text, or the name of a file under `/media/`. */
export const AssetRecord = z.object(AssetData.shape)
export type AssetRecord = z.infer<typeof AssetRecord>

const Row = z.object({ body: json(AssetRecord) }).transform(({ body }) => body)
const Count = z.object({ n: z.number() })

/** The assets of companies; each company has its own. */
export function createAssetTable(store: Store) {
  const from = 'FROM assets WHERE company_uuid = ? AND asset_type = ?'
  const find = query(store, `SELECT body ${from} AND uuid = ?`, Row)
  const count = query(store, `SELECT count(*) AS n ${from}`, Count)
  const some = query(store, `SELECT body ${from} ORDER BY rowid LIMIT ? OFFSET ?`, Row)
  const insert = command(store, 'INSERT INTO assets (uuid, company_uuid, asset_type, body) VALUES (?, ?, ?, ?)')
  const remove = command(store, 'DELETE FROM assets WHERE uuid = ?')

  return {
    find: (type: AssetType, uuid: string | undefined, companyUuid: string) =>
      uuid === undefined ? undefined : find.get(companyUuid, type, uuid),
    /** In the order in which they were created. */
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
