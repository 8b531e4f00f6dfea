import type { Shown } from '../../../src-shared/ipc/contract/outbox'
import { assertNever } from '../../../src-shared/result'
import type { Collection } from '../../../src-shared/service/collections'
import { endpointsV12 } from '../../../src-shared/service/endpoints'
import type { PackageCase } from '../../../src-shared/service/imports'
import { importRemovalRequest, importRequest } from '../../../src-shared/service/imports'
import { requestTo } from '../../service/requests'
import {
  type Evidence,
  type ReconcileParts,
  found,
  isPassing,
  notTaken,
  stillUnknown,
  unclear,
  undecided,
} from '../evidence'
import type { Operation } from '../operation'
import { type Key, type Payload, caseKey, scannedKey } from '../payload'
import { matchOf } from '../shown-time'
import { type KindRules, type RulesOf, type SendableRules, importAnswers } from './rules'

const { imports } = endpointsV12

const takesCase = (key: string): Key[] => [{ key, isExclusive: true }]

/** An import and its removal take their case exclusively. */
const ofCase: Omit<SendableRules<'import' | 'import-removal'>, 'request' | 'inverses' | 'about'> = {
  keys: ({ caseId }) => takesCase(caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: reconcileCase,
  answers: importAnswers,
  account: 'retail',
  name: ({ productName }) => productName,
}

/** Never on the wire: first `identify` finds out which import it is. */
export const blindImport: KindRules<'blind-import'> = {
  keys: ({ caseId, scanned }) => takesCase(caseId === null ? scannedKey(scanned) : caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: () => Promise.resolve(notTaken('nothing')),
  answers: importAnswers,
  account: 'retail',
  // The service has nothing of it yet that could be undone.
  inverses: () => [],
  name: ({ scanned }) => scanned,
}

export const importKinds: RulesOf<'import' | 'import-removal'> = {
  import: {
    ...ofCase,
    request: (payload, _, sendsSku) =>
      requestTo(imports.create, [], importRequest(sendsSku ? payload : { ...payload, sku: undefined })),
    about: ({ caseId, packagedProductId, packageUid }) => ({
      shows: { case_uuid: caseId, packaged_product_uuid: packagedProductId, package_uid: packageUid },
    }),
    inverses: ({ caseId, packagedProductId, packageUid, productName, itemCount }) => [
      { kind: 'import-removal', caseId, packagedProductId, packageUid, productName, itemCount },
    ],
  },

  'import-removal': {
    ...ofCase,
    // The specification doesn't show its answer.
    answers: { ...importAnswers, saysSuccess: true, echo: 'service/package-unknown' },
    request: (payload) => requestTo(imports.remove, [], importRemovalRequest(payload)),
    about: ({ caseId, packageUid }) => ({ shows: { case_uuid: caseId, package_uid: packageUid } }),
    inverses: null,
  },
}

type CasePayload = Extract<Payload, { kind: 'import' | 'import-removal' }>

/**
 * An import or its removal is judged by two readings: the package look-up says whose import it is, the items of the case say
 * which of its packaged products are under the package. Spec: Package UID lookup entry; Collection, `pos_package_uid`.
 */
async function reconcileCase(operation: Operation, payload: CasePayload, parts: ReconcileParts): Promise<Evidence> {
  const { client } = parts
  const lookup = await client.packageUids.cases(payload.packageUid)
  // A failed read doesn't justify sending again: the read will be repeated.
  if (!lookup.ok && isPassing(lookup.error)) return stillUnknown(lookup.error)
  const collection = await client.collections.get(payload.caseId)
  if (!collection.ok && isPassing(collection.error)) return stillUnknown(collection.error)

  const entry = lookup.ok ? lookup.value.case_ids[payload.caseId] : undefined
  const seen: CaseReading = {
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

interface CaseReading {
  /** The dispensary that holds the case under this package; `unnamed`: the service doesn't say which. */
  holder: 'ours' | 'another' | 'unnamed' | 'none' | 'unreadable'
  /**
   * Whether items of the packaged product are under this package; `others-here`: only those of another product are;
   * `none`: the case has none, and none was removed from it.
   */
  items: 'here' | 'others-here' | 'gone' | 'none' | 'unreadable'
  /** All that the package holds of the case is imported. */
  isWhole: boolean
  /**
   * For an import: whether the import that is shown is older; `own`: this station made an earlier one; `own-or-this`: it may
   * be either of the two, for the service writes times in minutes or days.
   */
  isOlder: false | 'own' | 'own-or-this' | 'unexplained'
}

/** In ms: our import may look older by the service's rounding to seconds and by the error in its clock's offset. */
const tolerance = 2_000

function isOlder(
  entry: PackageCase | undefined,
  operation: Operation,
  { own }: ReconcileParts,
): CaseReading['isOlder'] {
  const importedAt = entry?.imported_on == null ? Number.NaN : Date.parse(entry.imported_on)
  // It may be ours unless it is certainly older; without a time it isn't.
  const performedAt = Date.parse(operation.performedAt)
  if (!(importedAt < performedAt - tolerance)) return false
  if (!own.hasEarlierImport(operation)) return 'unexplained'
  return matchOf(importedAt, performedAt) === 'other' ? 'own' : 'own-or-this'
}

/** The service fills in package UID and dispensary only for our own company. */
function holderOf(entry: PackageCase | undefined, payload: CasePayload, own: string | null): CaseReading['holder'] {
  if (entry?.package_uid !== payload.packageUid) return 'none'
  if (own === null || entry.dispensary == null) return 'unnamed'
  return entry.dispensary.uuid === own ? 'ours' : 'another'
}

function itemsOf(
  { items, removed_items }: Collection,
  { packagedProductId, packageUid }: CasePayload,
): CaseReading['items'] {
  // A removed item still shows what became of it.
  const all = [...items, ...(removed_items ?? [])]
  const own = all.filter((item) => item.packaged_product_uuid === packagedProductId)
  if (own.length === 0) {
    const isSaid = all.length > 0 && all.every((item) => item.packaged_product_uuid != null)
    return isSaid ? 'none' : 'unreadable'
  }
  // One is enough: items added to the case after the import are in no inventory.
  if (own.some((item) => item.pos_package_uid === packageUid)) return 'here'
  return all.some((item) => item.pos_package_uid === packageUid) ? 'others-here' : 'gone'
}

/** Where the case is, as a person is told. */
function shownOf({ holder, items }: CaseReading): Shown {
  if (holder === 'another') return 'imported-elsewhere'
  if (items === 'here') return 'imported'
  if (holder === 'unreadable' && items === 'unreadable') return 'nothing'
  return holder === 'none' || items !== 'unreadable' ? 'not-imported' : 'imported'
}

/** Taken only if our own dispensary shows it. "Already imported" may be about ours only if no more than its name is missing. */
function ofImport(seen: CaseReading): Evidence {
  const { holder, items, isWhole, isOlder } = seen
  const shown = shownOf(seen)
  const isThere = items === 'here' || (items === 'unreadable' && isWhole)
  if (!isThere || holder === 'another') return notTaken(shown)
  // Our own earlier import still stands: "already imported" is about that one.
  if (isOlder === 'own') return notTaken(shown)
  // "Already imported" may be about either import of ours.
  if (isOlder === 'own-or-this') return undecided(shown)
  // Older than ours for no known reason: our clock may be wrong, or the service writes times in minutes or days.
  if (isOlder === 'unexplained') return unclear(shown)
  if (holder === 'ours') return found
  // The look-up may not know a package that only the import named.
  return items === 'here' || holder === 'unnamed' ? unclear(shown) : notTaken(shown)
}

/** Taken only if both readings agree that it is gone. One dispensary holds a case: another's is not ours. */
function ofRemoval(seen: CaseReading): Evidence {
  const { holder, items, isWhole } = seen
  const shown = shownOf(seen)
  switch (holder) {
    case 'another':
      return found
    case 'unreadable':
      return unclear(shown)
    case 'none':
      return items === 'gone' || items === 'others-here' ? found : unclear(shown)
    case 'ours':
    case 'unnamed':
      if (items === 'others-here') return found
      return holder === 'ours' && (items === 'here' || (items === 'unreadable' && isWhole))
        ? notTaken(shown)
        : unclear(shown)
    default:
      return assertNever(holder)
  }
}
