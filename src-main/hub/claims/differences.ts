import type { TagId } from '../../../src-shared/ids'
import type { HeldClaim } from '../port'
import { type KnownClaim, knownUpTo } from './claim-rows'
import { type OpenSale, openKind } from './truth'

interface Members {
  has: (tagId: TagId) => boolean
}

/** What the hub holds in this station's name, and what this station knows. */
interface Compared {
  held: readonly HeldClaim[]
  /** The claims when the hub was asked, and now. */
  before: ReadonlyMap<TagId, KnownClaim>
  known: ReadonlyMap<TagId, KnownClaim>
  /** The items of open sales. */
  lines: ReadonlyMap<TagId, OpenSale>
  /** Items that are being claimed for a scan. */
  taking: Members
  /** Items that were asked for without an answer. */
  asked: Members
  /** What this station's reports say of a sale: that it counts, that there was one, or nothing. */
  reportOf: (tagId: TagId, orderId: string | null) => 'counts' | 'made' | 'none'
  /** Whether this station has sold an item, in whichever order. */
  isSold: (tagId: TagId) => boolean
}

/** A claim in this station's name that it doesn't know. */
export type StrangeClaim = Pick<HeldClaim, 'tagId' | 'revision' | 'kind'>

interface Differences {
  /** Items of which the hub is to be told again. */
  dirty: TagId[]
  /** Claims that no line has: they are freed by these revisions. */
  unlined: HeldClaim[]
  strange: StrangeClaim[]
  /** Claims of open sales that the hub confirmed. */
  confirmed: TagId[]
  /** Claims that the hub doesn't have. */
  lost: TagId[]
}

/** What is done about a claim that the hub holds. */
type ClaimStep = 'none' | 'push' | 'free' | 'strange'

const saleSteps = {
  // Pushed, and withdrawn before that reached the hub.
  made: 'push',
  counts: 'none',
  none: 'strange',
} as const satisfies Record<ReturnType<Compared['reportOf']>, ClaimStep>

const isKnownBy = ({ tagId, revision }: HeldClaim, { known }: Pick<Compared, 'known'>) =>
  revision > 0 && known.get(tagId)?.revision === revision

function openStep(claim: HeldClaim, compared: Compared): ClaimStep {
  const { tagId, kind, orderId } = claim
  const sale = compared.lines.get(tagId)
  const isKnown = isKnownBy(claim, compared)
  // A scan's claim that reached the hub late names the order as it was then.
  if (sale) return isKnown && sale.orderId === orderId && openKind(sale) === kind ? 'none' : 'push'
  const isTaking = compared.taking.has(tagId)
  // It was not freed yet, or it is this station's again: another station's sale took it meanwhile, and ended.
  if (claim.revision <= (knownUpTo(compared.known.get(tagId)) ?? 0)) return 'push'
  // The answer that granted it was lost, or the hub is from a backup that is older than the sale. A sale that is over by now ends only
  // what is known of it, so the claim is freed by this revision.
  if (compared.isSold(tagId) || compared.asked.has(tagId)) return isTaking ? 'push' : 'free'
  return isTaking ? 'none' : 'strange'
}

/** What the hub holds and this station doesn't know of, and the other way around. */
export function differences(compared: Compared): Differences {
  const { held, before, known, lines, reportOf } = compared
  const found: Differences = { dirty: [], unlined: [], strange: [], confirmed: [], lost: [] }
  const openAtHub = new Set<TagId>()
  for (const claim of held) {
    const { tagId, revision, kind, orderId } = claim
    if (kind !== 'sale') {
      openAtHub.add(tagId)
      if (isKnownBy(claim, compared)) found.confirmed.push(tagId)
    }
    const step = kind === 'sale' ? saleSteps[reportOf(tagId, orderId)] : openStep(claim, compared)
    if (step === 'strange') found.strange.push({ tagId, revision, kind })
    if (step === 'free') found.unlined.push(claim)
    if (step === 'push' || step === 'free') found.dirty.push(tagId)
  }
  const lacking = [...known.values()].filter(({ tagId }) => !openAtHub.has(tagId))
  for (const { tagId } of lacking) found.dirty.push(tagId)
  for (const tagId of lines.keys()) if (!known.has(tagId)) found.dirty.push(tagId)
  // What was granted since the hub was asked isn't in its answer.
  const isOld = ({ tagId, revision }: KnownClaim) => revision !== null && before.get(tagId)?.revision === revision
  found.lost = lacking.filter(isOld).map(({ tagId }) => tagId)
  return found
}
