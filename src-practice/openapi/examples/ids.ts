import { toShortUuid } from '../../../src-shared/ids'

/** The ids of the examples, in the long form of v1.5; each names one thing in all of them. */
export const ids = {
  company: 'c0a80101-0000-4000-8000-000000000001',
  dispensary: 'c0a80101-0000-4000-8000-000000000002',
  brand: 'c0a80101-0000-4000-8000-000000000003',
  product: 'c0a80101-0000-4000-8000-000000000004',
  batch: 'c0a80101-0000-4000-8000-000000000005',
  packaged: 'c0a80101-0000-4000-8000-000000000006',
  laboratory: 'c0a80101-0000-4000-8000-000000000007',
  coa: 'c0a80101-0000-4000-8000-000000000008',
  case: 'c0a80101-0000-4000-8000-000000000009',
  regulator: 'c0a80101-0000-4000-8000-00000000000a',
  tag: 'c0a80101-0000-4000-8000-00000000000b',
  asset: 'c0a80101-0000-4000-8000-00000000000c',
} as const

/** The same id as v1.2 writes it. */
export const short = (name: keyof typeof ids): string => toShortUuid(ids[name]) ?? ''

export const moment = '2026-10-05T14:30:00Z'
export const packageUid = '1A40E0300000D51000000417'
export const identifier = 'HF-2026-0417-03'
