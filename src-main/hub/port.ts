import type { CaseId, CountId, DeliveryId, ShortUuid, TagId } from '../../src-shared/ids'
import type { KeptScope } from '../counting/shelf/scope'
import type { LogTopic } from '../sharing/watch'
import type { CountBody, DayBody, DayStatus, DeliveryKey, Heartbeat, HeldBody, ShelfBody } from './rows'
import type { HubView, JoinedHub } from '../../src-shared/ipc/contract/hub'

/** What stations tell each other to read again. */
export const newsTopics = [
  'claims',
  'held',
  'settings',
  'pos',
  'people',
  'counts',
  'deliveries',
  'shelf',
  'imports',
  'day',
  'day-asked',
  'stations',
] as const
export type NewsTopic = (typeof newsTopics)[number]

/** What a claim is for: an item in a cart, in an order on hold, or sold. */
export type ClaimKind = 'cart' | 'held' | 'sale'

/**
 * An item that this station wants for one of its orders. `at`: ms since 1970 by the service's clock, of a sale. `own`, of a
 * sale: if it is over, so are these.
 */
export interface ClaimWish {
  tagId: TagId
  kind: ClaimKind
  orderId: string | null
  at: number
  own?: OwnBefore
}

/**
 * What the hub may still hold of this station for an item: its claims up to this revision, for open orders, and its sales up
 * to a moment, in ms since 1970 by the service's clock. What is newer was not known when this was told.
 */
export interface OwnBefore {
  known: number | null
  upTo: number
}

/** The station that holds an item. `since`: ms since 1970, by the hub's clock. */
export interface ClaimHolder {
  tagId: TagId
  stationId: string
  stationName: string
  kind: ClaimKind
  orderId: string | null
  since: number
  revision: number
}

/**
 * The answer to a claim: granted, with the revision that the hub gave it, and the names of the stations that the hub doesn't know
 * all of (`awaited`; none if left out); held by another station; over, for a sale that was
 * told after its items came back; or no answer from the hub, which may still have granted it.
 */
export type ClaimAnswer =
  | { kind: 'granted'; revision: number; awaited?: string[] }
  | { kind: 'held'; by: ClaimHolder }
  | { kind: 'over' }
  | { kind: 'offline' }

/** The claims of open orders up to a revision, as the hub holds them for this station. `upTo`: its sales up to then; see `OwnBefore`. */
export interface OwnClaim {
  tagId: TagId
  revision: number
  upTo?: number
}

/** A claim of an open order or a sale, with the order as the hub knows it. */
export interface HeldClaim extends Pick<OwnClaim, 'tagId' | 'revision'> {
  kind: ClaimKind
  orderId: string | null
}

/** The claims of this station's open orders and of its newest sales, and the hub's newest revision: lower than before, if a backup was restored. */
export interface ClaimsAtHub {
  hubId: string
  newest: number
  /** The names of the other stations that the hub doesn't know all of; `isAwaited`: neither of this one. */
  awaited: string[]
  isAwaited: boolean
  claims: HeldClaim[]
}

/**
 * Why two stations are told of an item: both claimed it while offline, or a person took it over; or took over settling the
 * differences of a count that it is in.
 */
export type NoticeKind = 'collided' | 'taken-over' | 'settling'

/** What another station should know of an item. The order and the name are those of the station that tells it. */
export interface HubNotice {
  tagId: TagId
  /** The revision of the claim that the notice is about. */
  revision: number
  what: NoticeKind
  stationId: string
  stationName: string
  orderId: string | null
  because: string | null
  /** Ms since 1970, by the hub's clock. */
  at: number
}

/** An item that was returned or voided: other stations may sell it. `at`: ms since 1970, by the service's clock. */
export interface Release {
  tagId: TagId
  at: number
}

/** Which station has which item. Every call may be repeated. `undefined`: the hub does not answer. */
export interface HubClaims {
  /** For a scan: waits at most for the patience of the hub. */
  take(wish: ClaimWish): Promise<ClaimAnswer>
  /** Takes an item from the station that holds it by this revision, unless that has sold it. That station gets a notice. */
  takeOver(
    wish: ClaimWish,
    from: Pick<ClaimHolder, 'stationId' | 'revision'>,
    because: string | null,
  ): Promise<ClaimAnswer>
  /** Claims items again, after the fact; returns the answer for each. */
  announce(wishes: ClaimWish[]): Promise<Map<TagId, ClaimAnswer> | undefined>
  /** Gives items back: those of a sale that was withdrawn, and of an open order unless they were granted again since. */
  free(claims: OwnClaim[]): Promise<boolean>
  /** Says that items came back: their sales until then, of any station, are over, also those that are told later. */
  released(releases: Release[]): Promise<boolean>
  /** Says that all items of an order sold by `at` came back, also if its sale reaches the hub later. */
  releasedOrder(orderId: string, at: number): Promise<boolean>
  /** `upTo`: sales after this moment are named too, in ms since 1970 by the service's clock. */
  own(upTo?: number): Promise<ClaimsAtHub | undefined>
  /** Says that these were made by another copy of this station's data: they stay, in the name of that copy. */
  disown(claims: Pick<OwnClaim, 'tagId' | 'revision'>[]): Promise<boolean>
  /** All that this station holds was pushed to the hub: nothing of it is awaited any more. */
  announced(): Promise<boolean>
}

/** Notices of stations to each other about single items. `undefined`, `false`: no answer. */
export interface HubNotices {
  /** Pushes notices to other stations. A notice that is pushed again changes nothing while it was not read. */
  push(notices: { to: string; notice: Omit<HubNotice, 'stationId' | 'stationName' | 'at'> }[]): Promise<boolean>
  /** For this station, oldest first. */
  read(): Promise<HubNotice[] | undefined>
  /** This station has saved them. */
  done(notices: HubNotice[]): Promise<boolean>
}

/** An order on hold, as the hub keeps it. `customer` is sealed with the store's key. */
export interface SharedOrder {
  id: string
  body: HeldBody
  customer: string | null
}

/** An order on hold in the store. `heldAt`: ms since 1970, by the hub's clock. */
export interface HeldInStore extends SharedOrder {
  stationId: string
  stationName: string
  heldAt: number
}

/** The answer to taking an order: the order, with the claims that came with it; already taken or gone; or no answer. */
export type TakenOrder = Taken | NotTaken
interface Taken {
  kind: 'taken'
  order: SharedOrder
  claims: { tagId: TagId; revision: number }[]
}
type NotTaken = { kind: 'gone' } | { kind: 'offline' }

/** Orders on hold, resumed by one station only. Every call may be repeated. `undefined`, `false`: no answer. */
export interface HubHeldOrders {
  /** Shares an order that this station holds, or what changed in it. Nothing happens once another station has taken it. */
  put(order: SharedOrder): Promise<boolean>
  /** All that can be resumed, oldest first. */
  list(): Promise<HeldInStore[] | undefined>
  /** Takes an order, with the claims of its items. Asked again by the same station, it answers the same. */
  take(id: string): Promise<TakenOrder>
  /** Takes an order of this station back, with these items, also one that the hub hears of only later. */
  takeOwn(id: string, tagIds: TagId[]): Promise<Pick<Taken, 'kind' | 'claims'> | NotTaken>
  /** Those that this station has taken and not yet confirmed by `done`: it may have crashed in between. */
  taken(): Promise<string[] | undefined>
  /** The order is in this station's own store now. */
  done(id: string): Promise<boolean>
  /** An order of this station isn't on hold any more. Nothing happens if another station has taken it. */
  finish(id: string): Promise<boolean>
  /** Which of these orders the hub knows, and which station has taken each. */
  status(ids: string[]): Promise<{ id: string; takenBy: string | null; stationName: string }[] | undefined>
  /** Drops an order that no station has taken, and frees its items. */
  drop(id: string): Promise<boolean>
}

/** A station of the store. Times in ms since 1970, by the hub's clock. `heartbeat`: null if it can't be read. */
export interface StationPresence {
  id: string
  name: string
  version: string
  joinedAt: number
  seenAt: number
  /** Not heard for a minute. */
  isGone: boolean
  /** The station whose older data, or copy, this is. */
  copyOf: string | null
  heartbeat: Heartbeat | null
}

/** The stations of the store. `undefined`, `false`: no answer. */
export interface HubStations {
  list(): Promise<StationPresence[] | undefined>
  /** Writes this station's heartbeat: how it is, and that it is there. */
  beat(heartbeat: Heartbeat): Promise<boolean>
  /** Removes a station that left, with the claims of its open orders and without those of its sales. */
  remove(id: string): Promise<boolean>
}

/** Characters of the longest record that stations read. */
export const longestRecord = 100_000

/** A thing that all stations have alike, as JSON; '' for one that can't be read. `at`: when the hub got it, in ms since 1970. */
export interface LogRecord {
  key: string
  body: string
  stationId: string
  at: number
}

/** Records that are newer than a revision, up to another one. `hubId`: another one for a hub that was made anew. */
export interface LogNews {
  hubId: string
  revision: number
  hasMore: boolean
  records: LogRecord[]
}

/** What the stations of a store share, one record a thing. `undefined`: no answer. */
export interface HubLog {
  /**
   * Pushes records of which no other station has pushed a newer one than `upTo`, the revision that this station has read. Returns
   * the keys of those that the hub has now.
   */
  push(
    topic: LogTopic,
    known: { upTo: number; epoch: number },
    records: Pick<LogRecord, 'key' | 'body'>[],
  ): Promise<ReadonlySet<string> | undefined>
  since(topic: LogTopic, revision: number): Promise<LogNews | undefined>
}

/** A count that is open in the store. `startedAt`: ms since 1970. `scanned`: items, those that belong to none of its cases too. */
export interface CountInStore {
  id: CountId
  stationName: string
  startedAt: number
  caseIds: CaseId[]
  /** The name of its case; null if it counts several. */
  name: string | null
  total: number
  scanned: number
}

/** Which station settles the differences of a count; null: this one. `isOff`: it was closed, or not heard for a minute. */
export interface CountSettled {
  by: { station: string; isOff: boolean } | null
}

/** `openCase`: the case that only one open count may have; null for a count of several, or beside another one. */
export interface NewCountInStore {
  isFinished: boolean
  openCase: CaseId | null
}

/**
 * One thing of a list that stations keep together: a scan of a count, a package or case of a delivery. `value`: what else is
 * known of it, of a case its package. `isGone`: undone, dropped. `isOthers`: what is gone was entered by another station. `at`: ms
 * since 1970.
 */
export interface ListEntry<Key> {
  key: Key
  value: string | null
  at: number
  isGone: boolean
  isOthers: boolean
}

/**
 * A list as the hub has it. `epochId`: another one if the hub lost the list and it was pushed again. `revision`: grows with every
 * change; lower than before if a backup of the hub was restored. `mergedInto`: the list that took it in. `ended`: what its
 * stations should know of its end, as JSON.
 */
export interface ListStatus<Id> {
  epochId: string
  revision: number
  isFinished: boolean
  mergedInto: Id | null
  ended: string | null
}

/** What was entered in a list since a revision, by any station, up to another one. More may follow if there are many. */
export interface ListNews<Key> {
  revision: number
  hasMore: boolean
  entries: (Omit<ListEntry<Key>, 'isOthers'> & { stationId: string; stationName: string })[]
}

/**
 * Lists that several stations keep together: each entry is one row, and the first station that enters something counts.
 * `undefined`, `false`: no answer; `unknown`: the hub doesn't know the list.
 */
export interface HubLists<Id, Key> {
  push(epoch: number, id: Id, entries: ListEntry<Key>[]): Promise<boolean | 'unknown'>
  /** Those of some lists that the hub knows. */
  status(ids: Id[]): Promise<Map<Id, ListStatus<Id>> | undefined>
  since(id: Id, revision: number): Promise<ListNews<Key> | undefined>
  /**
   * Finishes a list for all, or opens it again. `ended`: as in its status. `isRecount`, of a count of the shelf: it was
   * finished before, which the hub may not have been told.
   */
  finish(
    epoch: number,
    id: Id,
    isFinished: boolean,
    ended?: string | null,
    isRecount?: boolean,
  ): Promise<boolean | 'unknown'>
}

/** Counts by several stations: the key of an entry is the item that was scanned. */
export interface HubCounts extends HubLists<CountId, TagId> {
  /**
   * Shares a count. Nothing happens if it is there. Returns its id in the store: that of another one, if a station has begun to
   * count the same case before.
   */
  put(epoch: number, id: CountId, body: CountBody, how: NewCountInStore): Promise<CountId | undefined>
  /** For a count that is there and not finished. */
  body(id: CountId): Promise<CountBody | 'unknown' | undefined>
  /** The counts of the last seven days that are not finished. */
  open(): Promise<CountInStore[] | undefined>
  /**
   * The other stations that count along and may have scans that the hub doesn't have: they said so, or missed two
   * heartbeats.
   */
  behind(id: CountId): Promise<{ name: string }[] | undefined>
  /** The station that settles the differences: this one (`by` is null), if no other does. */
  settle(id: CountId): Promise<CountSettled | undefined>
  /** Settles the differences in place of a station that is off, which gets a notice about an item of the count. */
  takeOverSettling(id: CountId, about: TagId, because: string): Promise<CountSettled | undefined>
}

/** A count of the shelf that is open in the store. `startedAt`: ms since 1970. `isRecount`: its differences are counted again. */
export interface ShelfInStore {
  id: CountId
  stationName: string
  startedAt: number
  scope: KeptScope
  isRecount: boolean
  scanned: number
}

/**
 * Counts of the shelf by several stations: the key of an entry is the item that was scanned, its value what the station that
 * scanned it knew of it. A signed count stays signed, and one that was given up stays so unless another station finished it
 * apart; one that another station finished can't be given up.
 */
export interface HubShelf extends HubLists<CountId, TagId> {
  /** Shares a count. Nothing happens if it is there. */
  put(id: CountId, body: ShelfBody, isRecount: boolean): Promise<boolean>
  /** For a count that is there and not finished: this station counts along. */
  join(id: CountId): Promise<{ body: ShelfBody; isRecount: boolean } | 'unknown' | undefined>
  /** The counts of the last seven days that are not finished. */
  open(): Promise<ShelfInStore[] | undefined>
  /** The other stations that may have scans that the hub lacks; see `HubCounts.behind`. */
  behind(id: CountId): Promise<{ name: string }[] | undefined>
}

/**
 * A delivery that is open in the store. `startedAt`: ms since 1970, by the clock of its station. `alsoHere`: a package or case
 * that this station's delivery has too.
 */
export interface DeliveryInStore {
  id: DeliveryId
  stationName: string
  startedAt: number
  packages: number
  cases: number
  alsoHere: DeliveryKey | null
}

/** Deliveries received by several stations: an entry is a package or a case, with its package as the value. */
export interface HubDeliveries extends HubLists<DeliveryId, DeliveryKey> {
  /** Shares a delivery. Nothing happens if it is there. */
  put(id: DeliveryId, startedAt: number): Promise<boolean>
  /** When an unfinished delivery began, and at which station. This station receives it from then on. */
  head(id: DeliveryId): Promise<{ startedAt: number; stationName: string } | 'unknown' | undefined>
  /** The deliveries of the last seven days that are not finished, but for this one. */
  open(own: DeliveryId | null): Promise<DeliveryInStore[] | undefined>
  /**
   * The other stations that receive it and may have listed, counted or imported something that the hub doesn't know: they said so,
   * or missed two heartbeats.
   */
  behind(id: DeliveryId): Promise<{ name: string }[] | undefined>
  /** Makes a delivery a part of another one that is open. Stations that receive the first follow. */
  merge(id: DeliveryId, into: DeliveryId): Promise<boolean | 'unknown'>
}

/** A packaged product of a case; null for a blind import, which may be of any of them. */
export interface ImportKey {
  caseId: CaseId
  packagedProductId: ShortUuid | null
}

/** How an import stands at its station. `over`: refused, withdrawn or taken back. `at`: ms since 1970, by the service's clock. */
export interface ImportInStore extends ImportKey {
  state: 'importing' | 'imported' | 'over'
  at: number
}

/** An import as the hub has it. `was`: while it is under way, the accepted import of another station that it was before. */
export interface KnownImport extends ImportInStore {
  stationId: string
  stationName: string
  was: { stationId: string; stationName: string; at: number } | null
}

/**
 * Imports that were told since a revision. `hubId`: another one for a hub that was made anew. `stale`: stations that import
 * something and were not heard for long: they hold up no other one.
 */
export interface ImportNews {
  hubId: string
  revision: number
  hasMore: boolean
  stale: string[]
  imports: KnownImport[]
}

/** Which station imports which product of a case. `undefined`, `false`: no answer. */
export interface HubImports {
  /** Before an import: returns which of these another station is importing, with its name. The others are this station's. */
  take(keys: ImportKey[]): Promise<(ImportKey & { stationName: string })[] | undefined>
  push(epoch: number, imports: ImportInStore[]): Promise<boolean>
  since(revision: number): Promise<ImportNews | undefined>
}

/** A sale, return or void of a station. `id`: of the operation. `at`: ms since 1970, by the service's clock. */
export interface DayEntry extends DayBody {
  id: string
  at: number
}

/** A moment and a later one, in ms since 1970: the first is included. */
type Span = [from: number, to: number]

/** The reports of a day, of all stations. `mark`: another one with every change of them. `unread`: those that can't be read. */
export interface StoreEntries {
  entries: (DayEntry & { stationId: string; stationName: string })[]
  unread: number
  mark: string
  /** When the day was closed for the store, in ms since 1970 by the hub's clock, and the `mark` then. */
  closed: { at: number; stationName: string; mark: string } | null
}

/** What the other stations reported of the orders of a time. `unread`: their reports of the day that can't be read. */
export type OthersEntries = Pick<StoreEntries, 'entries' | 'unread'>

/** The answer of a station to a question about a day. */
export interface DayAnswer {
  stationId: string
  standing: DayStatus
}

/** What all stations reported, day by day, for sixty days. Days are local dates. `undefined`, `false`: no answer. */
export interface HubDay {
  /** Pushes entries of this station, or what changed in them. */
  push(epoch: number, entries: { entry: DayEntry; digest: string }[]): Promise<boolean>
  /** The digests of this station's entries since a moment, by operation; empty for one that was told by version 0.2. */
  own(since: number): Promise<Map<string, string> | undefined>
  /** How many entries of this station there are since a moment. */
  total(since: number): Promise<number | undefined>
  /** Asks every station how a day stands with it, after it has told what it had to tell. Returns the number of the question. */
  ask(day: string): Promise<number | undefined>
  /** The days that were asked about in the last minute and that this station has not answered since. */
  asked(): Promise<{ day: string; question: number }[] | undefined>
  answer(day: string, question: number, status: DayStatus): Promise<boolean>
  /** Who has answered a question, or a later one about the same day. */
  answers(day: string, question: number): Promise<DayAnswer[] | undefined>
  read(day: string, span: Span): Promise<StoreEntries | undefined>
  /**
   * What the other stations reported of every order that any station reported on in a span, also up to two weeks before it.
   * `day`: the span of the day that it is about.
   */
  others(span: Span, day: Span): Promise<OthersEntries | undefined>
  /** Closes a day if its entries are still those of `mark`. Returns whether they were. */
  close(day: string, span: Span, mark: string): Promise<boolean | undefined>
}

/** A station of the store, as another one remembers it. */
export interface RememberedStation {
  id: string
  name: string
}

/** What a station remembers of its hub, in its own store. */
export interface HubMemory {
  /** The hub that it was in sync with last, its newest revision then, and the store's stations. */
  lastSeen(): { hubId: string; newest: number; stations: RememberedStation[] } | undefined
  /** The hub was made anew or restored: the revisions that are known are older than those that it gives from now on. */
  lost(): void
  /** The sessions of this data: that of this start first, then those before it. */
  sessions(): string[]
  /** The newest of them that the hub has had; undefined if none is known of. */
  lastBegun(): string | undefined
  /** The hub has the session of this start. */
  sessionBegun(): void
}

/** What a station needs to open its hub. */
export interface HubSurroundings {
  /** This station's own id. */
  stationId: string
  joined: JoinedHub
  /** Null while the keychain doesn't give it. */
  secret: () => Promise<{ password: string; storeKey: string } | null>
  /** How long a scan waits for the hub, in ms. Default: 300. */
  patience?: number
}

/** The store of several stations, as one of them uses it. */
export interface Hub {
  /** False if none is set up: nothing below is ever asked. */
  readonly isSetUp: boolean
  /** This station's own id; null alone. */
  readonly stationId: string | null
  view(): HubView
  /**
   * A fencing token for the next push: afterwards a push of this station with a lower one has no effect on the same things.
   * Undefined: no answer.
   */
  epoch(): Promise<number | undefined>
  claims: HubClaims
  notices: HubNotices
  held: HubHeldOrders
  log: HubLog
  stations: HubStations
  day: HubDay
  counts: HubCounts
  shelf: HubShelf
  deliveries: HubDeliveries
  imports: HubImports
  /** Calls back when something of a topic may have changed, also after the hub was out of reach. Returns how to stop. */
  onNews(topic: NewsTopic, listener: () => void): () => void
  /** Calls back when the situation changes. */
  onSituation(listener: () => void): () => void
  /** A person says that awaited stations hold nothing, or won't come back. Returns false without an answer. */
  goOn(stations: readonly string[]): Promise<boolean>
  /** Tries to connect at once: a person asked for it, or the computer woke up. */
  retryNow(): void
  /** Ends the connections. Never rejects. */
  close(): Promise<void>
}
