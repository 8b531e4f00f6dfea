import { createHash } from 'node:crypto'

/** A mark of the service and dispensary that a station reports to: two stores must not share a hub by mistake. */
export const storeMarkOf = ({ baseUrl, dispensaryId }: { baseUrl: string; dispensaryId: string | null }): string =>
  createHash('sha256')
    .update(`${baseUrl}\n${dispensaryId ?? ''}`)
    .digest('base64url')
