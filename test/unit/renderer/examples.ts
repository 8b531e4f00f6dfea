import type { AppStatus } from '../../../src-shared/ipc/app-view'
import { CaseId, OperationId, ShortUuid, TagId } from '../../../src-shared/ids'
import type { CartItem, CartMode, CartView } from '../../../src-shared/ipc/checkout-view'
import { type JournalEntry, OperationView } from '../../../src-shared/ipc/operation-view'
import type { CaseView, ImportState, PackagedProductView } from '../../../src-shared/ipc/receiving-view'
import type { Meaning, Scan } from '../../../src-shared/scan/meaning'

/** Things of the contract, as short as they can be. */

const digits = '3456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const short = (kind: string, number: number) => kind.padEnd(21, '2') + digits.charAt(number)

export const tagId = (number: number) => TagId.parse(short('A', number))
export const caseId = (number: number) => CaseId.parse(short('C', number))
export const productId = (number: number) => ShortUuid.parse(short('P', number))
export const operationId = (number: number) =>
  OperationId.parse(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`)
export const at = '2026-11-12T14:02:11Z'

export const operation = (fields: Partial<OperationView> = {}): OperationView =>
  OperationView.parse({
    id: operationId(1),
    seq: 1,
    kind: 'complete',
    state: 'accepted',
    orderId: null,
    caseId: null,
    packageUid: null,
    productName: null,
    itemCount: 0,
    performedAt: at,
    attempts: 1,
    nextAttemptAt: null,
    waitsFor: 0,
    heldUpBy: null,
    reason: null,
    note: null,
    undo: null,
    dismissedBecause: null,
    ...fields,
  })

export const step = (what: JournalEntry['what'], fields: Partial<JournalEntry> = {}): JournalEntry => ({
  at,
  actor: 'station',
  what,
  from: 'queued',
  to: 'sending',
  reason: null,
  because: null,
  ...fields,
})

export const appStatus = (fields: Partial<AppStatus> = {}): AppStatus => ({
  profile: { kind: 'practice', name: 'Green Door' },
  connection: { state: 'online', since: at },
  unsent: 0,
  oldestUnsentAt: null,
  attention: 0,
  clockOffset: 0,
  warnings: [],
  store: { lastBackupAt: null, salvage: null },
  locale: 'en',
  version: '0.1.0',
  ...fields,
})

export const product = (number: number, importState: ImportState = { kind: 'to-import' }): PackagedProductView => ({
  packagedProductId: productId(number),
  productName: `Product ${number}`,
  brandName: 'A brand',
  sku: null,
  batchName: null,
  packagedOn: null,
  useBy: null,
  pictureUrl: null,
  tagCount: 12,
  coa: { verdict: 'passed', expiresOn: null, isExpired: false },
  importState,
})

export const caseView = (number: number, fields: Partial<CaseView> = {}): CaseView => ({
  caseId: caseId(number),
  identifier: caseId(number),
  name: null,
  tagCount: 12,
  requiredCount: 12,
  packagedProducts: [product(number)],
  packageUids: [],
  knowledge: { source: 'now', knownAt: at },
  ...fields,
})

export const packageView = (packageUid: string, cases: CaseView[]) => ({
  packageUid,
  cases: cases.map((view) => ({ caseId: view.caseId, importState: { kind: 'to-import' }, case: view, error: null })),
  knowledge: { source: 'now', knownAt: at },
})

export const cart = (mode: CartMode, tags: TagId[], fields: Partial<CartView> = {}): CartView => {
  const items: CartItem[] = tags.map((tag) => ({ tagId: tag, scannedAt: at, flag: null }))
  const line = { key: 'p', productName: 'Blue Dream 3.5 g', brandName: null, pictureUrl: null, items }
  return { mode, orderId: null, lines: items.length > 0 ? [line] : [], itemCount: items.length, ...fields }
}

export const itemAdded = (mode: CartMode, tags: TagId[]) => {
  const view = cart(mode, tags)
  return { cart: view, line: view.lines[0], flag: null }
}

export const scan = (seq: number, meaning: Meaning): Scan => ({
  seq,
  at,
  source: 'wedge',
  device: null,
  symbology: null,
  raw: '',
  meaning,
})
