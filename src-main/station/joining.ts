import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AppError } from '../../src-shared/errors'
import { hostFault, isLoopbackHost } from '../../src-shared/hub-address'
import type { JoinedHub } from '../../src-shared/ipc/contract/hub'
import type {
  JoinCode,
  JoinForm,
  JoinScanned,
  JoinTest,
  JoinView,
  StoreShown,
} from '../../src-shared/ipc/contract/join'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, iso } from '../core/clock'
import type { HubSurroundings } from '../hub/port'
import type { Trial } from '../hub/postgres/trial'
import { storeIdOf } from '../hub/store-identity'
import { saved } from '../database/saved'
import type { HubSecret, HubSecrets } from './hub-secrets'
import {
  type JoinCodeContent,
  asPem,
  certificatesIn,
  codeLasts,
  endFault,
  readJoinCode,
  writeJoinCode,
} from './join-code'
import type { StationFile } from './station-file'

interface JoiningParts {
  file: StationFile
  secrets: HubSecrets
  stationId: string
  /** The profile in use, and the mark of the store that it reports to. */
  active: () => ProfileId
  storeHash: () => string
  /** What people here call that store. */
  storeName: () => string
  /** Unsent reports of the profile in use; undefined if its data can't be read. Also while no core is open. */
  unsent: () => number | undefined
  clock: Clock
  /** Reopens the core; `change` runs while nothing is open. Its error is returned, and the core is opened anyway. */
  reopen: (before: ProfileId, change: () => Result<unknown, AppError>) => Promise<Result<null, AppError>>
}

/** What is joined with: as entered, or of a join code, which has an end. `storeKey`: null if none is known. */
interface Resolved {
  joined: JoinedHub
  password: string
  storeKey: string | null
  code: JoinCodeContent | null
}

/** The store that this station is in. `storeId`: null if it can't be told. */
interface OwnStore {
  hub: JoinedHub
  secret: HubSecret | null
  storeId: string | null
}

/** A join code that was read. `id`: of its text, for pages. */
interface ReadCode {
  id: string
  content: JoinCodeContent
}

const isSameHub = (one: JoinedHub, other: JoinedHub) =>
  one.host === other.host && one.port === other.port && one.database === other.database

/** The key of one store is no key of another one. A join code brings its own. */
const withoutKeyOf = (replaced: OwnStore | null, how: Resolved): Resolved =>
  replaced && !how.code ? { ...how, storeKey: null } : how

const noCode = err<AppError>({ code: 'join/code-unusable', reason: 'none' })

/** Only a station that has to do with a hub loads the client of one. */
const loadTrial = () => import('../hub/postgres/trial')

/** Settings > Store: the hub of the profile in use. The address is in station.json, the secrets are in `secrets`. */
export function createJoining(parts: JoiningParts) {
  const { file, secrets, active, storeHash, storeName, unsent, clock, reopen } = parts
  /** The identity of this computer in its stores: one of its own, if its data was a copy of another computer's. */
  const ownId = () => file.read().storeIdentity ?? parts.stationId
  const joinedOf = (id: ProfileId): JoinedHub | null => file.read().hubs[id] ?? null
  /** The text of the join code that was scanned last, and the content of the one that was read. */
  let scannedText: string | null = null
  let code: ReadCode | null = null

  const view = async (): Promise<JoinView> => {
    const id = active()
    const hub = joinedOf(id)
    return { hub, place: hub && (await secrets.find(id, hub)).place }
  }

  const resolved = async (form: JoinForm): Promise<Result<Resolved, AppError>> => {
    const { password, fromCode, makesKey: _, replacesStore: __, ...entered } = form
    if (fromCode !== null) {
      // Another page may have read another one.
      if (code?.id !== fromCode) return noCode
      const { content } = code
      const { host, port, database, user } = content
      const certificate = content.certificate === null ? certificateOf(entered.certificate) : ok(content.certificate)
      if (!certificate.ok) return certificate
      const joined = { ...entered, host, port, database, user, certificate: certificate.value }
      return ok({ joined, password: content.password, storeKey: content.storeKey, code: content })
    }
    const reason = hostFault(entered.host) ?? (entered.port >= 1 && entered.port <= 65_535 ? null : 'port')
    if (reason) return err({ code: 'join/address', reason })
    const certificate = certificateOf(entered.certificate)
    if (!certificate.ok) return certificate
    const before = joinedOf(active())
    const known = before && (await secrets.find(active(), before)).secret
    // The saved password is for the server that it was entered for, and no other server learns it.
    const isSameServer = before?.host === entered.host && before.port === entered.port
    const used = password ?? (isSameServer ? known?.password : undefined)
    if (used === undefined) return err({ code: 'join/password-missing' })
    const joined = { ...entered, certificate: certificate.value }
    return ok({ joined, password: used, storeKey: known?.storeKey ?? null, code: null })
  }

  const tried = async (
    { joined, password }: Pick<Resolved, 'joined' | 'password'>,
    stationId = ownId(),
  ): Promise<Trial> => {
    const { tryHub } = await loadTrial()
    const { stationName } = joined
    return tryHub({ address: { ...joined, password }, stationId, stationName, storeHash: storeHash() })
  }
  /** As `tried`. Errors: join/code-unusable, if a code has ended by the clock of the hub that it leads to. */
  const triedInTime = async (how: Resolved): Promise<Result<Trial, AppError>> => {
    const found = await tried(how)
    const fault = how.code && found.now !== null ? endFault(how.code.expiresAt, found.now) : null
    if (!fault) return ok(found)
    code = null
    return err({ code: 'join/code-unusable', reason: fault })
  }
  const freeNameOf = ({ joined }: Pick<Resolved, 'joined'>, { trouble, names }: Pick<Trial, 'trouble' | 'names'>) =>
    trouble === 'name-taken' ? freeName(joined.stationName, names) : null

  const ownStore = async (): Promise<OwnStore | null> => {
    const hub = joinedOf(active())
    if (!hub) return null
    const { secret } = await secrets.find(active(), hub)
    // The keychain may have lost the key; version 0.2 kept nothing else of it.
    return { hub, secret, storeId: secret ? storeIdOf(secret.storeKey) : (hub.storeId ?? null) }
  }
  /** The store that this station is in, if a code is of another one, or if that can't be told. */
  const replacedBy = async (content: JoinCodeContent): Promise<OwnStore | null> => {
    const own = await ownStore()
    return own?.storeId === storeIdOf(content.storeKey) ? null : own
  }
  /** The store that an entered address would replace, by what the hub there says. The own hub may have moved to it. */
  const replacedAt = async ({ joined, code }: Resolved, { storeId }: Trial): Promise<OwnStore | null> => {
    const own = code ? null : await ownStore()
    if (!own || isSameHub(own.hub, joined)) return null
    return storeId !== null && storeId === own.storeId ? null : own
  }
  const shown = ({ host, port, database }: JoinedHub, id: string | null): StoreShown => ({
    name: storeName(),
    ...{ id, host, port, database },
  })
  const needsCode = ({ storeKey }: Resolved, { names }: Trial) => storeKey === null && names.length > 0

  return {
    view,
    /** For the core of a profile; undefined if it works alone. */
    surroundings(id: ProfileId): HubSurroundings | undefined {
      const joined = joinedOf(id)
      return joined
        ? { stationId: ownId(), joined, secret: async () => (await secrets.find(id, joined)).secret }
        : undefined
    },
    /** A join code was scanned, on any screen. */
    scannedText(text: string) {
      scannedText = text
    },
    /** Reads a join code, which is then used by `fromCode`. */
    async scanned({ text }: { text: string | null }): Promise<Result<JoinScanned, AppError>> {
      const given = text ?? scannedText
      // A scanned code is read once.
      scannedText = null
      if (given === null) return noCode
      const read = readJoinCode(given)
      if (!read.ok) return read
      const { host, port, database, user, policy, storeKey, stationName } = read.value
      if (read.value.storeHash !== storeHash()) return err({ code: 'join/code-unusable', reason: 'foreign' })
      const id = createHash('sha256').update(given).digest('base64url')
      code = { id, content: read.value }
      const replaced = await replacedBy(read.value)
      // Nothing is connected to: a person looks at what the code names first.
      return ok({
        ...{ id, host, port, database, user, policy },
        store: { name: read.value.storeName, id: storeIdOf(storeKey), host, port, database },
        own: replaced && shown(replaced.hub, replaced.storeId),
        madeBy: stationName,
        stationName: freeName(stationName, []),
        needsCertificate: read.value.lacksCertificate,
        expiresAt: iso(read.value.expiresAt),
      })
    },
    async try(form: JoinForm): Promise<Result<JoinTest, AppError>> {
      await secrets.askAgain()
      const how = await resolved(form)
      if (!how.ok) return how
      const found = await triedInTime(how.value)
      if (!found.ok) return found
      const { trouble, answer, names, isNew } = found.value
      if (trouble) return ok({ kind: 'trouble', trouble, answer, freeName: freeNameOf(how.value, found.value) })
      const own = await replacedAt(how.value, found.value)
      return ok({
        ...{ kind: 'works', stations: names.length, isNew },
        needsCode: needsCode(withoutKeyOf(own, how.value), found.value),
        replaces: own && { store: shown(how.value.joined, found.value.storeId), own: shown(own.hub, own.storeId) },
      })
    },
    join,
    /** Follows the own store to another place: it is known to be the same. */
    follow: (form: JoinForm) => join(form, true),
    /** This computer gets an identity of its own: its data is a copy of another computer's. */
    async newIdentity({ stationName }: { stationName: string }): Promise<Result<JoinView, AppError>> {
      const id = active()
      const joined = joinedOf(id)
      if (!joined) return err({ code: 'join/not-joined' })
      const { secret } = await secrets.find(id, joined)
      if (!secret) return err({ code: 'join/password-missing' })
      const identity = randomUUID()
      const named = { ...joined, stationName }
      const found = await tried({ joined: named, ...secret }, identity)
      if (found.trouble) {
        const { trouble, answer, names } = found
        return err({
          code: 'join/trouble',
          trouble,
          answer,
          freeName: freeNameOf({ joined: named }, { trouble, names }),
        })
      }
      const done = await reopen(id, () =>
        active() === id
          ? saved(() => {
              file.change((settings) => ({
                ...settings,
                storeIdentity: identity,
                hubs: { ...settings.hubs, [id]: named },
              }))
              return ok(null)
            })
          : err({ code: 'app/reopened' }),
      )
      return done.ok ? ok(await view()) : done
    },
    async leave(): Promise<Result<{ view: JoinView; isTold: boolean }, AppError>> {
      const id = active()
      const joined = joinedOf(id)
      if (!joined) return err({ code: 'join/not-joined' })
      const objection = (): AppError | undefined => (active() === id ? unsentObjection() : { code: 'app/reopened' })
      const early = objection()
      if (early) return err(early)
      const { secret } = await secrets.find(id, joined)
      const done = await reopen(id, () => {
        // A sale may have been saved until the core was closed.
        const late = objection()
        return late ? err(late) : withoutHub(id)
      })
      if (!done.ok) return done
      const isTold = await told(joined, secret, true)
      await secrets.forget(id)
      return ok({ view: await view(), isTold })
    },
    /** A profile was removed: its hub is told, and nothing of it stays here. */
    async drop(id: ProfileId): Promise<void> {
      const joined = joinedOf(id)
      if (!joined) return
      const { secret } = await secrets.find(id, joined)
      withoutHub(id)
      // Its data is gone here: other stations may resume its orders on hold.
      await told(joined, secret, false)
      await secrets.forget(id)
    },
    /** The names of the other stations in the store; null if its hub doesn't answer. */
    async others(): Promise<string[] | null> {
      const joined = joinedOf(active())
      const known = joined && (await secrets.find(active(), joined)).secret
      if (!known) return null
      const { trouble, names } = await tried({ joined, ...known })
      return trouble === null ? names : null
    },
    /** The end of the code is by the hub's clock, so the hub has to answer. */
    async code(): Promise<Result<JoinCode, AppError>> {
      const id = active()
      const joined = joinedOf(id)
      if (!joined) return err({ code: 'join/not-joined' })
      const { secret } = await secrets.find(id, joined)
      if (!secret) return err({ code: 'join/password-missing' })
      const { now, trouble, answer } = await tried({ joined, password: secret.password })
      if (now === null) return err({ code: 'join/trouble', trouble: trouble ?? 'silent', answer, freeName: null })
      const { text, lacksCertificate } = writeJoinCode({
        ...{ ...joined, ...secret, storeHash: storeHash(), storeName: storeName() },
        expiresAt: now + codeLasts,
      })
      // For this page, which counts down by its own clock.
      const expiresAt = clock.now() + codeLasts
      const picture = `data:image/svg+xml,${encodeURIComponent(await drawn(text))}`
      return ok({ picture, expiresAt: iso(expiresAt), lacksCertificate, isLocal: isLoopbackHost(joined.host) })
    },
  }

  async function join(form: JoinForm, isSameStore = false): Promise<Result<JoinView, AppError>> {
    const id = active()
    const entered = await resolved(form)
    if (!entered.ok) return entered
    const named = entered.value.code && (await replacedBy(entered.value.code))
    // Nothing is connected to before a person has compared both.
    if (named && !form.replacesStore) return err({ code: 'join/other-store' })
    const found = await triedInTime(entered.value)
    if (!found.ok) return found
    const { trouble, answer, names } = found.value
    if (trouble) return err({ code: 'join/trouble', trouble, answer, freeName: freeNameOf(entered.value, found.value) })
    const replaced = named ?? (isSameStore ? null : await replacedAt(entered.value, found.value))
    if (replaced && !form.replacesStore) return err({ code: 'join/other-store' })
    const left = replaced && !isSameHub(replaced.hub, entered.value.joined) ? replaced : null
    const unsentHere = left && unsentObjection()
    if (unsentHere) return err(unsentHere)
    const how = withoutKeyOf(replaced, entered.value)
    const isKeyless = needsCode(how, found.value)
    if (isKeyless && !form.makesKey) return err({ code: 'join/code-needed', count: names.length })
    const done = await put(id, how, left !== null)
    if (!done.ok) return done
    code = null
    if (isKeyless) await renamed(id)
    // The store that this station was in would keep the items of its open orders.
    if (left) await told(left.hub, left.secret, true)
    return ok(await view())
  }

  /** The store got a new key here: at its hub it has a new identity. */
  async function renamed(id: ProfileId): Promise<void> {
    const joined = joinedOf(id)
    const { secret } = joined ? await secrets.find(id, joined) : { secret: null }
    if (!joined || !secret) return
    const { renameStore } = await loadTrial()
    await renameStore({ ...joined, password: secret.password }, storeIdOf(secret.storeKey))
  }

  /** Saves the hub of a profile and its secret, while no core is open. `isLeft`: another store is left with it. */
  async function put(
    id: ProfileId,
    { joined, password, storeKey }: Resolved,
    isLeft: boolean,
  ): Promise<Result<null, AppError>> {
    const secret: HubSecret = { password, storeKey: storeKey ?? randomBytes(32).toString('base64') }
    const putBack = await secrets.put(id, joined, secret)
    const done = await reopen(id, () => {
      // Another page may have changed the connection meanwhile.
      if (active() !== id) return err({ code: 'app/reopened' })
      // A sale may have been saved until the core was closed.
      const late = isLeft ? unsentObjection() : undefined
      if (late) return err(late)
      return saved(() => {
        const hub = { ...joined, storeId: storeIdOf(secret.storeKey) }
        file.change((settings) => ({ ...settings, hubs: { ...settings.hubs, [id]: hub } }))
        return ok(null)
      })
    })
    if (!done.ok) await putBack()
    return done
  }

  /** Why the store can't be left yet. */
  function unsentObjection(): AppError | undefined {
    const count = unsent()
    if (count === undefined) return { code: 'profile/unreadable-data' }
    return count > 0 ? { code: 'join/unsent', count } : undefined
  }

  function withoutHub(id: ProfileId): Result<null, AppError> {
    return saved(() => {
      file.change((settings) => ({
        ...settings,
        hubs: Object.fromEntries(Object.entries(settings.hubs).filter(([one]) => one !== id)),
      }))
      return ok(null)
    })
  }

  /** Whether the hub has heard that this station left. `takesHeld`: see `leaveHub`. */
  async function told(joined: JoinedHub, secret: HubSecret | null, takesHeld: boolean): Promise<boolean> {
    if (!secret) return false
    const { leaveHub } = await loadTrial()
    return leaveHub({ ...joined, password: secret.password }, ownId(), takesHeld)
  }
}

export type Joining = ReturnType<typeof createJoining>

const longestCertificate = 20_000

/** Certificates only: a private key that was pasted with them must not get into the file. */
function certificateOf(text: string | null): Result<string | null, AppError> {
  if (text === null || text.trim() === '') return ok(null)
  const found = certificatesIn(text)
  const pem = found && asPem(found)
  return pem === null || pem.length > longestCertificate ? err({ code: 'join/certificate' }) : ok(pem)
}

/** The next free name: "Station 2" after "Station 1". */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set([name, ...taken].map((one) => one.toLowerCase()))
  const digits = /\d{1,4}$/.exec(name)?.[0]
  const stem = (digits === undefined ? name : name.slice(0, -digits.length)).trim()
  for (let number = digits === undefined ? 2 : Number(digits) + 1; ; number++) {
    const next = `${stem.slice(0, 34)} ${number}`.trim()
    if (!used.has(next.toLowerCase())) return next
  }
}

/** Black on white, with the required quiet zone. The lowest error correction: a screen has no dirt, and modules stay large. */
async function drawn(text: string): Promise<string> {
  const { drawingSVG, qrcode } = await import('bwip-js/generic')
  const options = {
    ...{ bcid: 'qrcode', text, eclevel: 'L', scale: 2, paddingwidth: 4, paddingheight: 4 },
    ...{ backgroundcolor: 'ffffff', barcolor: '000000' },
  }
  return qrcode(options, drawingSVG())
}
