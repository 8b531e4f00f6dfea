import type { Shown } from '../../../src-shared/ipc/operation-view'
import { assertNever } from '../../../src-shared/result'
import type { Collection } from '../../../src-shared/service/collections'
import { endpointsV12 } from '../../../src-shared/service/endpoints-v12'
import type { PackageCase } from '../../../src-shared/service/package-uids'
import { importRemovalRequest, importRequest } from '../../../src-shared/service/requests'
import { requestTo } from '../../service-client/report'
import { type Finding, type ReconcileParts, found, isPassing, notTaken, stillUnknown, unclear } from '../evidence'
import type { Operation } from '../operation'
import { type Key, type Payload, caseKey, scannedKey } from '../payload'
import { type KindRules, type RulesOf, type SendableRules, importAnswers } from './rules'

const { imports } = endpointsV12

const takesCase = (key: string): Key[] => [{ key, isExclusive: true }]

/** An import and its removal take their case alone. */
const ofCase: Omit<SendableRules<'import' | 'import-removal'>, 'request' | 'inverses' | 'about'> = {
  keys: ({ caseId }) => takesCase(caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: reconcileCase,
  answers: importAnswers,
  account: 'retail',
  name: ({ productName }) => productName,
}

const importing: SendableRules<'import'> = {
  ...ofCase,
  request: (payload, _, sendsSku) =>
    requestTo(imports.create, [], importRequest(sendsSku ? payload : { ...payload, sku: undefined })),
  about: ({ caseId, packagedProductId, packageUid }) => ({
    shows: { case_uuid: caseId, packaged_product_uuid: packagedProductId, package_uid: packageUid },
  }),
  inverses: ({ caseId, packagedProductId, packageUid, productName, itemCount }) => [
    { kind: 'import-removal', caseId, packagedProductId, packageUid, productName, itemCount },
  ],
}

const importRemoval: SendableRules<'import-removal'> = {
  ...ofCase,
  // Its answer is not shown.
  answers: { ...importAnswers, saysSuccess: true, echo: 'service/package-unknown' },
  request: (payload) => requestTo(imports.remove, [], importRemovalRequest(payload)),
  about: ({ caseId, packageUid }) => ({ shows: { case_uuid: caseId, package_uid: packageUid } }),
  inverses: null,
}

/** Never on the wire: it is found out first which import it is (`identify.ts`). */
export const blindImport: KindRules<'blind-import'> = {
  keys: ({ caseId, scanned }) => takesCase(caseId === null ? scannedKey(scanned) : caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: () => Promise.resolve(notTaken('nothing')),
  answers: importAnswers,
  account: 'retail',
  // It has nothing at the service yet that could be taken back.
  inverses: () => [],
  // What stood on the label is all there is to call it by.
  name: ({ scanned }) => scanned,
}

export const importKinds: RulesOf<'import' | 'import-removal'> = {
  import: importing,
  'import-removal': importRemoval,
}

type CasePayload = Extract<Payload, { kind: 'import' | 'import-removal' }>

/**
 * An import or its removal, by two readings: the package look-up says whose import it is, the items of the case say
 * which of its packaged products stand under the package. Spec: Package UID lookup entry; Collection, `pos_package_uid`.
 */
async function reconcileCase(operation: Operation, payload: CasePayload, parts: ReconcileParts): Promise<Finding> {
  const { client } = parts
  const lookup = await client.packageUids.cases(payload.packageUid)
  // Not knowing is no reason to send: the same question will be asked again.
  if (!lookup.ok && isPassing(lookup.error)) return stillUnknown(lookup.error)
  const collection = await client.collections.get(payload.caseId)
  if (!collection.ok && isPassing(collection.error)) return stillUnknown(collection.error)

  const entry = lookup.ok ? lookup.value.case_ids[payload.caseId] : undefined
  const seen: Seen = {
    holder: lookup.ok ? holderOf(entry, payload, parts.ownDispensaryId) : 'unreadable',
    items: collection.ok ? itemsOf(collection.value, payload) : 'unreadable',
    isWhole: entry?.is_imported === true,
    isOlder: isOlder(entry, operation, parts),
  }
  switch (payload.kind) {
    case 'import':
      return ofImport(seen)
    case 'import-removal':
      return ofRemoval(seen)
    default:
      return assertNever(payload)
  }
}

interface Seen {
  /** Who holds the case under this package: our dispensary, another, one of the two, or nobody. */
  holder: 'ours' | 'another' | 'somebody' | 'nobody' | 'unreadable'
  /**
   * Whether items of the packaged product stand under this package; `others-here`: only those of another product do;
   * `none`: the case has none, and none was taken out of it.
   */
  items: 'here' | 'others-here' | 'gone' | 'none' | 'unreadable'
  /** All that the package holds of the case is imported. */
  isWhole: boolean
  /** Of an import: what is shown was imported before it, as far as the service says when; `own`: by this station. */
  isOlder: false | 'own' | 'somebody'
}

/** A service that keeps whole seconds, or whose clock we know to two, shows our import as a little older than it is. */
const tolerance = 2_000

function isOlder(entry: PackageCase | undefined, operation: Operation, { own }: ReconcileParts): Seen['isOlder'] {
  const importedAt = entry?.imported_on == null ? Number.NaN : Date.parse(entry.imported_on)
  // Unless it is certainly older (no time is not), it may be ours.
  if (!(importedAt < Date.parse(operation.performedAt) - tolerance)) return false
  return own.hasEarlierImport(operation) ? 'own' : 'somebody'
}

/** The package UID and the dispensary are filled only for dispensaries of our own company. */
function holderOf(entry: PackageCase | undefined, payload: CasePayload, own: string | null): Seen['holder'] {
  if (entry?.package_uid !== payload.packageUid) return 'nobody'
  if (own === null || entry.dispensary == null) return 'somebody'
  return entry.dispensary.uuid === own ? 'ours' : 'another'
}

function itemsOf({ items, removed_items }: Collection, { packagedProductId, packageUid }: CasePayload): Seen['items'] {
  // What was taken out of the case goes on showing what became of it.
  const all = [...items, ...(removed_items ?? [])]
  const own = all.filter((item) => item.packaged_product_uuid === packagedProductId)
  if (own.length === 0) {
    const isSaid = all.length > 0 && all.every((item) => item.packaged_product_uuid != null)
    return isSaid ? 'none' : 'unreadable'
  }
  // One is enough: what was put into the case after the import stands in no inventory.
  if (own.some((item) => item.pos_package_uid === packageUid)) return 'here'
  return all.some((item) => item.pos_package_uid === packageUid) ? 'others-here' : 'gone'
}

/** In the words of a person: where the case is, as far as both readings say. */
function shownOf({ holder, items }: Seen): Shown {
  if (holder === 'another') return 'imported-elsewhere'
  if (items === 'here') return 'imported'
  if (holder === 'unreadable' && items === 'unreadable') return 'nothing'
  return holder === 'nobody' || items !== 'unreadable' ? 'not-imported' : 'imported'
}

/** Taken only when our own dispensary shows it; "already imported" speaks of us only when everything fits but the name. */
function ofImport(seen: Seen): Finding {
  const { holder, items, isWhole, isOlder } = seen
  const shown = shownOf(seen)
  const isThere = items === 'here' || (items === 'unreadable' && isWhole)
  if (!isThere || holder === 'another') return notTaken(shown)
  // An earlier import of ours that still stands proves nothing of this one: "already imported" is said of that one.
  if (isOlder === 'own') return notTaken(shown)
  // Older than ours, and not known to be another's doing: our clock may be wrong.
  if (isOlder === 'somebody') return unclear(shown)
  if (holder === 'ours') return found
  // The look-up need not know a package that only the import named.
  return items === 'here' || holder === 'somebody' ? unclear(shown) : notTaken(shown)
}

/** Taken only when both readings agree that it is gone; a case is held by one dispensary, so another's is not ours. */
function ofRemoval(seen: Seen): Finding {
  const { holder, items, isWhole } = seen
  const shown = shownOf(seen)
  switch (holder) {
    case 'another':
      return found
    case 'unreadable':
      return unclear(shown)
    case 'nobody':
      return items === 'gone' || items === 'others-here' ? found : unclear(shown)
    case 'ours':
    case 'somebody':
      if (items === 'others-here') return found
      return holder === 'ours' && (items === 'here' || (items === 'unreadable' && isWhole))
        ? notTaken(shown)
        : unclear(shown)
    default:
      return assertNever(holder)
  }
}
