import { createHash } from 'node:crypto'
import type { AppErrorOf, ResultOf } from '../../src-shared/errors'
import { hostFault, isLoopbackHost } from '../../src-shared/hub-address'
import type { JoinCode, JoinForm, JoinScanned } from '../../src-shared/ipc/contract/join'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, iso } from '../core/clock'
import { qrCode } from '../core/qr-code'
import type { Trial } from '../hub/postgres/trial'
import { storeIdOf } from '../hub/store-identity'
import {
  type JoinCodeContent,
  asPem,
  certificatesIn,
  codeLasts,
  endFault,
  readJoinCode,
  writeJoinCode,
} from './join-code'
import type { JoinedStores, Resolved } from './joined-stores'
import type { SecretOutlet } from './secret-outlet'

/** A join code that was read. `id`: of its text, for pages. */
interface ReadCode {
  id: string
  content: JoinCodeContent
}

type UnresolvedForm = AppErrorOf<'join/code-unusable' | 'join/certificate' | 'join/address' | 'join/password-missing'>

const noCode = err({ code: 'join/code-unusable' as const, reason: 'none' as const })

const longestCertificate = 20_000

/** Certificates only: a private key that was pasted with them must not get into the file. */
function certificateOf(text: string | null): ResultOf<string | null, 'join/certificate'> {
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

/** Join codes that are read here and shown here, and what a form joins with. */
export class StoreCodes {
  readonly #stores: JoinedStores
  readonly #clock: Clock
  /** The text of the join code that was scanned last, and the content of the one that was read. */
  #scannedText: string | null = null
  #code: ReadCode | null = null
  readonly #outlet: SecretOutlet | undefined
  /** The code that a page shows. `expiresAt`: by this computer's clock, as the page counts. */
  #shown: { text: string; expiresAt: number } | null = null

  constructor(stores: JoinedStores, clock: Clock, outlet: SecretOutlet | undefined) {
    this.#outlet = outlet
    this.#stores = stores
    this.#clock = clock
  }

  /** A join code was scanned, on any screen. */
  scannedText(text: string): void {
    this.#scannedText = text
  }

  /** Reads a join code, which is then used by `fromCode`. */
  async scanned({ text }: { text: string | null }): Promise<ResultOf<JoinScanned, 'join/code-unusable'>> {
    const given = text ?? this.#scannedText
    // A scanned code is read once.
    this.#scannedText = null
    if (given === null) return noCode
    const read = readJoinCode(given)
    if (!read.ok) return read
    const content = read.value
    const { host, port, database, user, policy, storeKey, stationName } = content
    if (content.storeHash !== this.#stores.storeHash()) return err({ code: 'join/code-unusable', reason: 'foreign' })
    const id = createHash('sha256').update(given).digest('base64url')
    this.#code = { id, content }
    const replaced = await this.#stores.replacedBy(content)
    // Nothing is connected to: a person looks at what the code names first.
    return ok({
      ...{ id, host, port, database, user, policy },
      store: { name: content.storeName, id: storeIdOf(storeKey), host, port, database },
      own: replaced && this.#stores.shown(replaced.hub, replaced.storeId),
      madeBy: stationName,
      stationName: freeName(stationName, []),
      needsCertificate: content.lacksCertificate,
      expiresAt: iso(content.expiresAt),
    })
  }

  /** The store was left, or is another one: the code that was shown isn't of this station's store any more. */
  left(): void {
    this.#shown = null
  }

  /** The code that was read was used, or can't be. */
  forget(): void {
    this.#code = null
  }

  /** What a form joins with. */
  resolved(form: JoinForm): Promise<Result<Resolved, UnresolvedForm>> | Result<Resolved, UnresolvedForm> {
    return form.fromCode === null ? this.#entered(form) : this.#ofCode(form)
  }

  /** Tries a hub; a code that has ended by that hub's clock is refused. */
  async tried(how: Resolved): Promise<ResultOf<Trial, 'join/code-unusable'>> {
    const found = await this.#stores.tried(how)
    const fault = how.code && found.now !== null ? endFault(how.code.expiresAt, found.now) : null
    if (!fault) return ok(found)
    this.forget()
    return err({ code: 'join/code-unusable', reason: fault })
  }

  /** A code of this store. Its end is by the hub's clock, so the hub has to answer. */
  async show(): Promise<ResultOf<JoinCode, 'join/not-joined' | 'join/password-missing' | 'join/trouble'>> {
    const stores = this.#stores
    const id = stores.active()
    const joined = stores.hubOf(id)
    if (!joined) return err({ code: 'join/not-joined' })
    const secret = await stores.secretOf(id, joined)
    if (!secret) return err({ code: 'join/password-missing' })
    const { now, trouble, answer } = await stores.tried({ joined, password: secret.password })
    if (now === null) return err({ code: 'join/trouble', trouble: trouble ?? 'silent', answer, freeName: null })
    const { text, lacksCertificate } = writeJoinCode({
      ...{ ...joined, ...secret, storeHash: stores.storeHash(), storeName: stores.storeName() },
      expiresAt: now + codeLasts,
    })
    // For this page, which counts down by its own clock.
    const expiresAt = this.#clock.now() + codeLasts
    this.#shown = { text, expiresAt }
    const picture = `data:image/svg+xml,${encodeURIComponent(await qrCode(text, 'L'))}`
    return ok({
      ...{ picture, expiresAt: iso(expiresAt), lacksCertificate },
      ...{ isLocal: isLoopbackHost(joined.host), textTo: this.#outlet?.kind ?? null },
    })
  }

  /** Hands out the text of the code that is shown, until it expires. */
  async give(): Promise<ResultOf<null, 'join/code-unusable'>> {
    if (!this.#shown || !this.#outlet) return noCode
    const lastsMs = this.#shown.expiresAt - this.#clock.now()
    if (lastsMs <= 0) return err({ code: 'join/code-unusable', reason: 'expired' })
    await this.#outlet.give(this.#shown.text, Math.min(lastsMs, codeLasts))
    return ok(null)
  }

  #ofCode(form: JoinForm): Result<Resolved, UnresolvedForm> {
    const { password: _, fromCode, makesKey: __, replacesStore: ___, ...entered } = form
    // Another page may have read another one.
    if (this.#code?.id !== fromCode) return noCode
    const { content } = this.#code
    const { host, port, database, user } = content
    const certificate = content.certificate === null ? certificateOf(entered.certificate) : ok(content.certificate)
    if (!certificate.ok) return certificate
    const joined = { ...entered, host, port, database, user, certificate: certificate.value }
    return ok({ joined, password: content.password, storeKey: content.storeKey, code: content })
  }

  async #entered(form: JoinForm): Promise<Result<Resolved, UnresolvedForm>> {
    const stores = this.#stores
    const { password, fromCode: _, makesKey: __, replacesStore: ___, ...entered } = form
    const reason = hostFault(entered.host) ?? (entered.port >= 1 && entered.port <= 65_535 ? null : 'port')
    if (reason) return err({ code: 'join/address', reason })
    const certificate = certificateOf(entered.certificate)
    if (!certificate.ok) return certificate
    const own = await stores.own()
    // The saved password is for the server that it was entered for, and no other server learns it.
    const isSameServer = own?.hub.host === entered.host && own.hub.port === entered.port
    const used = password ?? (isSameServer ? own.secret?.password : undefined)
    if (used === undefined) return err({ code: 'join/password-missing' })
    const joined = { ...entered, certificate: certificate.value }
    return ok({ joined, password: used, storeKey: own?.secret?.storeKey ?? null, code: null })
  }
}
