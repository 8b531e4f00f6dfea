import type { AppStatus } from '../../../src-shared/ipc/contract/app'
import { verdict } from '../../fakes/verdicts'
import { CaseId, DeliveryId, OperationId, PackageUid, ShortUuid, TagId } from '../../../src-shared/ids'
import {
  DayReport,
  type CartItem,
  type CartMode,
  type CartView,
  HeldOrder,
  OrderView,
} from '../../../src-shared/ipc/contract/checkout'
import type { DeliveryCase, DeliveryChange, DeliveryPackage } from '../../../src-shared/ipc/contract/delivery'
import type { ManifestView } from '../../../src-shared/ipc/contract/manifest'
import { type JournalEntry, OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { CaseView, ImportState, PackagedProductView } from '../../../src-shared/ipc/contract/receiving'
import type { Meaning, Scan } from '../../../src-shared/scan/meaning'

/** Values of the contract with as few fields set as possible. */

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
    packagedProductId: null,
    collectionId: null,
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
    missing: [],
    unsettled: null,
    undo: null,
    actions: [],
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
  shown: null,
  because: null,
  name: null,
  approvedBy: null,
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
  productId: productId(number),
  productName: `Product ${number}`,
  brandName: 'A brand',
  sku: null,
  batchName: null,
  packagedOn: null,
  useBy: null,
  pictureUrl: null,
  tagCount: 12,
  coa: { verdict: 'passed', expiresOn: null, isExpired: false, word: 'passed' },
  importState,
  canImport:
    importState.kind === 'to-import' ||
    importState.kind === 'unknown' ||
    (importState.kind === 'refused' && importState.operation.kind === 'import'),
  heldBack: importState.kind === 'refused' ? 'refused' : null,
})

export const caseView = (number: number, fields: Partial<CaseView> = {}): CaseView => ({
  caseId: caseId(number),
  identifier: caseId(number),
  name: null,
  tagCount: 12,
  requiredCount: 12,
  packagedProducts: [product(number)],
  worstCoa: null,
  packageUids: [],
  knowledge: { source: 'now', knownAt: at },
  ...fields,
})

export const deliveryHead = {
  id: DeliveryId.parse('00000000-0000-4000-8000-00000000000d'),
  startedAt: at,
  stations: [],
}

/** A case as main lists it in the delivery. */
export const deliveryCase = (view: CaseView, packageUid: string | null = null): DeliveryCase => ({
  caseId: view.caseId,
  packageUid: packageUid === null ? null : PackageUid.parse(packageUid),
  importState: view.packagedProducts[0]?.importState ?? { kind: 'unknown' },
  case: view,
  error: null,
  isReading: false,
  station: null,
})

/** A package as the service answered it. */
export const packageView = (packageUid: string): DeliveryPackage => ({
  packageUid: PackageUid.parse(packageUid),
  knowledge: { source: 'now', knownAt: at },
  error: null,
  station: null,
})

/** What `receiving.addPackage` answers. */
/** No manifest is loaded. */
export const noManifest: ManifestView = {
  ...{ manifest: null, isWhole: true, packages: [], extras: [], undoable: null, revision: 0 },
}

export const packageAdded = (packageUid: string, cases: CaseView[]) => ({
  packageUid: PackageUid.parse(packageUid),
  caseIds: cases.map((view) => view.caseId),
  isNew: true,
})

/** What `receiving.addCase` answers. */
export const caseAdded = ({ caseId }: CaseView) => ({ caseId, isNew: true })

/** What main announces about the current delivery. */
export const deliveryChange = (fields: Partial<DeliveryChange> = {}): DeliveryChange => ({
  delivery: deliveryHead,
  packages: [],
  cases: [],
  dropped: { packageUids: [], caseIds: [] },
  blind: null,
  undoable: null,
  revision: 1,
  ...fields,
})

export const cart = (mode: CartMode, tags: TagId[], fields: Partial<CartView> = {}): CartView => {
  const items = tags.map((tag): CartItem => ({
    tagId: tag,
    scannedAt: at,
    verdict: verdict(),
    permitted: null,
    isDoubtful: false,
    caseId: null,
    claim: null,
  }))
  const product = { key: 'p', productName: 'Blue Dream 3.5 g', brandName: null, pictureUrl: null }
  const line = { ...product, items, expected: null, difference: null }
  const lines = items.length > 0 ? [line] : []
  return {
    mode,
    id: 1,
    revision: 1,
    orderId: null,
    budtender: null,
    customerId: null,
    lines,
    itemCount: items.length,
    last: tags.slice(-1).map((tagId) => ({ tagId, coa: null }))[0] ?? null,
    mustConfirm: false,
    ...fields,
  }
}

/** What `checkout.addItem` answers about an item of a cart, by default the last item. */
export const itemAdded = ({ lines, itemCount, mode, revision }: CartView, tagId?: TagId) => {
  const line = lines.find(({ items }) => tagId === undefined || items.some((item) => item.tagId === tagId))
  const item = tagId === undefined ? line?.items.at(-1) : line?.items.find((one) => one.tagId === tagId)
  if (!line || !item) throw new Error('the cart does not hold the item')
  const { productName, expected, items } = line
  return { ...item, productName, expected, lineCount: items.length, itemCount, mode, revision }
}

export const held = (id: number, orderId: string | null, fields: Partial<HeldOrder> = {}): HeldOrder =>
  HeldOrder.parse({ id, orderId, budtender: null, itemCount: 1, products: ['Blue Dream 3.5 g'], heldAt: at, ...fields })

/** What this station knows of an order, by default nothing. */
export const order = (orderId: string, fields: Partial<OrderView> = {}): OrderView =>
  OrderView.parse({
    orderId,
    behind: [],
    operations: [],
    items: [],
    canReturn: false,
    canVoid: true,
    voidWill: 'report',
    budtender: null,
    notes: [],
    ...fields,
  })

export const scan = (seq: number, meaning: Meaning): Scan => ({
  seq,
  at,
  source: 'wedge',
  device: null,
  symbology: null,
  raw: '',
  meaning,
})

const noOrders = { orders: 0, items: 0 }
/** The closing report of a day on which nothing happened. */
export const dayReport = (fields: object = {}): DayReport =>
  DayReport.parse({
    ...{
      day: '2026-11-21',
      storeName: 'Green Door',
      station: 'TILL-3',
      store: null,
      madeAt: at,
      mark: '',
      signed: null,
    },
    ...{ completed: noOrders, returned: noOrders, voided: noOrders, net: noOrders },
    ...{ byHour: [], outages: [], byBudtender: [], byProduct: [], unsent: [], refused: [], permitted: [], held: [] },
    ...{ confirmed: 0, dismissed: 0, verification: null },
    ...fields,
  })
