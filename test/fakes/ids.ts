import { CaseId, OrderId, PackageUid, ShortUuid, TagId, toShortUuid } from '../../src-shared/ids'

const short = (n: number) => toShortUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`) ?? ''

/** IDs by number, so that a test can say "tag 3 of case 1". */
export const tag = (n: number): TagId => TagId.parse(short(1_000 + n))
export const caseOf = (n: number): CaseId => CaseId.parse(short(2_000 + n))
export const thing = (n: number): ShortUuid => ShortUuid.parse(short(3_000 + n))
export const order = (id: string | number): OrderId => OrderId.parse(String(id))
export const packageUid = (n: number): PackageUid =>
  PackageUid.parse(`1A40603000200810000${String(n).padStart(5, '0')}`)
