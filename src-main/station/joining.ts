import { randomBytes, randomUUID } from 'node:crypto'
import type { AppError } from '../../src-shared/errors'
import { hostFault, isLoopbackHost } from '../../src-shared/hub-address'
import type { JoinedHub } from '../../src-shared/ipc/contract/hub'
import type { JoinCode, JoinFinding, JoinForm, JoinScanned, JoinView } from '../../src-shared/ipc/contract/join'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, iso } from '../clock'
import type { HubSurroundings } from '../hub/port'
import type { Trial } from '../hub/postgres/trial'
import { saved } from '../store/saved'
import type { HubSecret, HubSecrets } from './hub-secrets'
import { type JoinCodeContent, asPem, certificatesIn, codeLasts, readJoinCode, writeJoinCode } from './join-code'
import type { StationFile } from './station-file'

interface JoiningParts {
  file: StationFile
  secrets: HubSecrets
  stationId: string
  /** The profile in use, and the mark of the store that it reports to. */
  active: () => ProfileId
  storeMark: () => string
  /** Unsent reports of the profile in use; undefined if its data can't be read. Also while no core is open. */
  unsent: () => number | undefined
  clock: Clock
  /** Reopens the core; `change` runs while nothing is open. Its error is returned, and the core is opened anyway. */
  reopen: (before: ProfileId, change: () => Result<unknown, AppError>) => Promise<Result<null, AppError>>
}

/** What is joined with: as entered, or of a join code. `storeKey`: null if none is known. */
interface Resolved {
  joined: JoinedHub
  password: string
  storeKey: string | null
}

/** Only a station that has to do with a hub loads the client of one. */
const loadTrial = () => import('../hub/postgres/trial')

const expired = err<AppError>({ code: 'join/code-unusable', reason: 'expired' })

/** Settings > Store: the hub of the profile in use. The address is in station.json, the secrets are in `secrets`. */
export function createJoining(parts: JoiningParts) {
  const { file, secrets, active, storeMark, unsent, clock, reopen } = parts
  /** The identity of this computer in its stores: one of its own, if its data was a copy of another computer's. */
  const ownId = () => file.read().storeIdentity ?? parts.stationId
  const joinedOf = (id: ProfileId): JoinedHub | null => file.read().hubs[id] ?? null
  /** The text of the join code that was scanned last, and the content of the one that was read. */
  let scannedText: string | null = null
  let code: JoinCodeContent | null = null

  const view = async (): Promise<JoinView> => {
    const id = active()
    const hub = joinedOf(id)
    return { hub, place: hub && (await secrets.find(id, hub)).place }
  }

  const resolved = async (form: JoinForm): Promise<Result<Resolved, AppError>> => {
    const { password, fromCode, makesKey: _, ...entered } = form
    if (fromCode) {
      if (!code) return err({ code: 'join/code-unusable', reason: 'none' })
      if (clock.now() >= code.expiresAt) return expired
      const { host, port, database, user } = code
      const certificate = code.certificate === null ? certificateOf(entered.certificate) : ok(code.certificate)
      if (!certificate.ok) return certificate
      const joined = { ...entered, host, port, database, user, certificate: certificate.value }
      return ok({ joined, password: code.password, storeKey: code.storeKey })
    }
    const reason = hostFault(entered.host) ?? (entered.port >= 1 && entered.port <= 65_535 ? null : 'port')
    if (reason) return err({ code: 'join/address', reason })
    const certificate = certificateOf(entered.certificate)
    if (!certificate.ok) return certificate
    const before = joinedOf(active())
    const known = before && (await secrets.find(active(), before)).secret
    const used = password ?? known?.password
    if (used === undefined) return err({ code: 'join/password-missing' })
    const joined = { ...entered, certificate: certificate.value }
    return ok({ joined, password: used, storeKey: known?.storeKey ?? null })
  }

  const tried = async ({ joined, password }: Resolved, stationId = ownId()): Promise<Trial> => {
    const { tryHub } = await loadTrial()
    const { stationName } = joined
    return tryHub({ address: { ...joined, password }, stationId, stationName, storeMark: storeMark() })
  }
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
      if (given === null) return err({ code: 'join/code-unusable', reason: 'none' })
      const read = readJoinCode(given, clock.now())
      if (!read.ok) return read
      const { host, port, database, user, policy, storeKey, password, certificate, stationName } = read.value
      if (read.value.storeMark !== storeMark()) return err({ code: 'join/code-unusable', reason: 'foreign' })
      code = read.value
      const joined = { host, port, database, user, certificate, policy, stationName }
      const { names } = await tried({ joined, password, storeKey })
      return ok({
        ...{ host, port, database, user, policy },
        stationName: freeName(stationName, names),
        needsCertificate: read.value.lacksCertificate,
        expiresAt: iso(read.value.expiresAt),
      })
    },
    async try(form: JoinForm): Promise<Result<JoinFinding, AppError>> {
      await secrets.askAgain()
      const how = await resolved(form)
      if (!how.ok) return how
      const found = await tried(how.value)
      if (found.trouble) return ok({ kind: 'trouble', trouble: found.trouble })
      const { names, isNew } = found
      return ok({ kind: 'works', stations: names.length, isNew, needsCode: needsCode(how.value, found) })
    },
    async join(form: JoinForm): Promise<Result<JoinView, AppError>> {
      const id = active()
      const how = await resolved(form)
      if (!how.ok) return how
      const found = await tried(how.value)
      if (found.trouble) return err({ code: 'join/trouble', trouble: found.trouble })
      if (needsCode(how.value, found) && !form.makesKey)
        return err({ code: 'join/code-needed', count: found.names.length })
      const { joined, password, storeKey } = how.value
      const secret: HubSecret = { password, storeKey: storeKey ?? randomBytes(32).toString('base64') }
      const putBack = await secrets.put(id, joined, secret)
      const done = await reopen(id, () =>
        // Another page may have changed the connection meanwhile.
        active() === id
          ? saved(() => {
              file.change((settings) => ({ ...settings, hubs: { ...settings.hubs, [id]: joined } }))
              return ok(null)
            })
          : err({ code: 'app/reopened' }),
      )
      if (!done.ok) {
        await putBack()
        return done
      }
      code = null
      return ok(await view())
    },
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
      if (found.trouble) return err({ code: 'join/trouble', trouble: found.trouble })
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
      const objection = (): AppError | undefined => {
        if (active() !== id) return { code: 'app/reopened' }
        const count = unsent()
        if (count === undefined) return { code: 'profile/unreadable-data' }
        return count > 0 ? { code: 'join/unsent', count } : undefined
      }
      const early = objection()
      if (early) return err(early)
      const { secret } = await secrets.find(id, joined)
      const done = await reopen(id, () => {
        // A sale may have been saved until the core was closed.
        const late = objection()
        return late ? err(late) : withoutHub(id)
      })
      if (!done.ok) return done
      const isTold = await told(joined, secret)
      await secrets.forget(id)
      return ok({ view: await view(), isTold })
    },
    /** A profile was removed: its hub is told, and nothing of it stays here. */
    async drop(id: ProfileId): Promise<void> {
      const joined = joinedOf(id)
      if (!joined) return
      const { secret } = await secrets.find(id, joined)
      withoutHub(id)
      await told(joined, secret)
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
    async code(): Promise<Result<JoinCode, AppError>> {
      const id = active()
      const joined = joinedOf(id)
      if (!joined) return err({ code: 'join/not-joined' })
      const { secret } = await secrets.find(id, joined)
      if (!secret) return err({ code: 'join/password-missing' })
      const expiresAt = clock.now() + codeLasts
      const { text, lacksCertificate } = writeJoinCode({ ...joined, ...secret, expiresAt, storeMark: storeMark() })
      const picture = `data:image/svg+xml,${encodeURIComponent(await drawn(text))}`
      return ok({ picture, expiresAt: iso(expiresAt), lacksCertificate, isLocal: isLoopbackHost(joined.host) })
    },
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

  /** Whether the hub has heard that this station left. */
  async function told(joined: JoinedHub, secret: HubSecret | null): Promise<boolean> {
    if (!secret) return false
    const { leaveHub } = await loadTrial()
    return leaveHub({ ...joined, password: secret.password }, ownId())
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
