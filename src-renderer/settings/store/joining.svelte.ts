import type { AppError } from '../../../src-shared/errors'
import { hostFault, splitAddress } from '../../../src-shared/hub-address'
import type { Client } from '../../../src-shared/ipc/client'
import type { HeldOrder } from '../../../src-shared/ipc/contract/checkout'
import { type HubPolicy, JoinedHub } from '../../../src-shared/ipc/contract/hub'
import {
  type JoinCode,
  type JoinDone,
  JoinForm,
  type JoinScanned,
  type JoinTest,
  type JoinView,
  type StoreShown,
  secretFilePath,
} from '../../../src-shared/ipc/contract/join'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { download } from '../../receiving/save-file'
import { type ScanOutcome, refusal } from '../../scan/strip.svelte'
import { type Text, t } from '../../text/text.svelte'
import type { ChipTone } from '../../ui/tones'
import { Command } from '../../ui/command.svelte'
import { type Faults, Form } from '../../ui/form.svelte'
import { nameFault } from '../../ui/name-fault'

/** What stays at a station that leaves its store: its orders on hold, and the reports that need attention. */
interface Leaving {
  held: HeldOrder[]
  attention: OperationView[]
  /** All of them: the list has at most 300. */
  attentionCount: number
}

/** The dialog that is open. */
type OpenDialog = 'form' | 'code' | 'leave'

/** Settings > Store: the hub of the connection in use. */
export class Joining {
  /** Null until it is known. */
  view = $state.raw<JoinView | null>(null)
  readonly steps = new Command()
  #readError = $state.raw<AppError | null>(null)
  error = $derived(this.steps.error ?? this.#readError)
  open = $state.raw<OpenDialog | null>(null)
  /** The form, while it is open. */
  entry = $state.raw<JoinEntry | null>(null)
  /** The join code on the screen. */
  code = $state.raw<JoinCode | null>(null)
  /** The end of the code whose text was handed out: a newer code was not. */
  given = $state<string | null>(null)
  /** What would stay here, while it is asked whether to leave; null until it is known. */
  leaving = $state.raw<Leaving | null>(null)
  /** After a store was left, also for another one: whether its hub has heard of it. */
  hasTold = $state.raw<boolean | null>(null)
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('join.view', undefined)
    this.#readError = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  /** Opens the form, with what is joined. */
  edit(): void {
    this.entry = new JoinEntry(this.#client, this.view?.hub ?? null, (done) => {
      this.#done(done)
    })
    this.#show('form')
  }

  askToLeave(): void {
    this.#show('leave')
  }

  /** Reads what leaving the store leaves here. */
  async lookBehind(): Promise<void> {
    this.leaving = null
    const [held, attention] = await Promise.all([
      this.#client.call('checkout.held', undefined),
      this.#client.call('outbox.list', { show: 'attention' }),
    ])
    if (!held.ok || !attention.ok) {
      this.#readError = held.ok ? (attention.ok ? null : attention.error) : held.error
      return
    }
    const { operations, total } = attention.value
    this.leaving = {
      held: held.value.filter(({ station }) => station === null),
      attention: operations,
      attentionCount: total,
    }
  }

  #show(dialog: OpenDialog): void {
    this.#forgetErrors()
    this.hasTold = null
    this.open = dialog
  }

  close(): void {
    this.entry?.form.clear()
    this.entry = null
    this.code = null
    this.open = null
    this.#forgetErrors()
  }

  #done({ view, isTold }: JoinDone): void {
    this.close()
    this.view = view
    this.hasTold = isTold
  }

  #forgetErrors(): void {
    this.steps.forget()
    this.#readError = null
  }

  /** Shows a new join code. */
  async showCode(): Promise<void> {
    await this.steps.run(
      () => this.#client.call('join.code', undefined),
      (code) => {
        this.#show('code')
        this.code = code
      },
    )
  }

  /** Has main put the text of the shown code onto the clipboard, or into a file. The text never comes here. */
  async giveCode({ textTo, expiresAt }: JoinCode): Promise<void> {
    await this.steps.run(
      () => this.#client.call('join.giveCode', undefined),
      () => {
        this.given = expiresAt
        if (textTo === 'file') download('countertag-join-code.txt', secretFilePath)
      },
    )
  }

  async leave(): Promise<void> {
    await this.steps.run(
      () => this.#client.call('join.leave', undefined),
      (done) => {
        this.#done(done)
      },
    )
  }

  async retry(): Promise<void> {
    await this.#client.call('hub.retry', undefined)
    await this.load()
  }

  /** A join code was scanned on this screen. Its text is in main. */
  async scan(): Promise<ScanOutcome> {
    if (!this.entry) {
      if (!this.view) await this.load()
      this.edit()
    }
    const error = await this.entry?.read(null)
    if (error) return refusal(error)
    return { tone: 'good', what: { key: 'join.form.code.read' }, detail: { key: 'scan.join.read' } }
  }
}

type Entered = Record<
  'host' | 'port' | 'database' | 'user' | 'password' | 'certificate' | 'stationName' | 'codeText',
  string
>

const empty: Entered = {
  ...{ host: '', port: '5432', database: 'countertag', user: 'countertag', password: '' },
  ...{ certificate: '', stationName: '', codeText: '' },
}

const longestCertificate = 20_000

/** How to reach a hub: entered, or read from a join code. */
export class JoinEntry {
  readonly form: Form<Entered>
  policy = $state<HubPolicy>('warn')
  /** What a join code named: address and password are its. */
  fromCode = $state.raw<JoinScanned | null>(null)
  isReading = $state(false)
  isTrying = $state(false)
  makesKey = $state(false)
  /** A person was told that the code or the address is of another store, and wants it. */
  replacesStore = $state(false)
  /** A join code could not be read. */
  codeError = $state.raw<AppError | null>(null)
  /** What the last try found, as long as nothing was changed since. */
  found = $derived.by(() => (this.#found?.of === this.#entered() ? this.#found.test : null))
  #found = $state.raw<{ of: string; test: JoinTest } | null>(null)
  /** What is joined; null alone. */
  readonly known: JoinedHub | null
  readonly #client: Client
  /** One at a time; a second scan of a code gets the same answer. */
  #reading: Promise<AppError | null> | undefined

  constructor(client: Client, known: JoinedHub | null, onJoined: (done: JoinDone) => void) {
    this.#client = client
    this.known = known
    this.form = new Form({
      empty,
      check: (entered) => this.#faultsOf(entered),
      save: async () => {
        const answer = await client.call('join.join', this.#input())
        if (!answer.ok) return answer.error
        onJoined(answer.value)
        return null
      },
    })
    this.form.values.stationName = t('join.name.first')
    if (!known) return
    const { host, port, database, user, certificate, stationName, policy } = known
    const values = { host, port: String(port), database, user, certificate: certificate ?? '', stationName }
    Object.assign(this.form.values, values)
    this.policy = policy
  }

  /** Reads a join code: a pasted text, or (null) the one that was scanned last. */
  read(text: string | null): Promise<AppError | null> {
    this.#reading ??= this.#read(text).finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #read(text: string | null): Promise<AppError | null> {
    this.isReading = true
    this.codeError = null
    const answer = await this.#client.call('join.scanned', { text })
    this.isReading = false
    // The text holds a password.
    this.form.values.codeText = ''
    if (!answer.ok) {
      this.codeError = answer.error
      return answer.error
    }
    this.fromCode = answer.value
    this.replacesStore = false
    this.form.error = null
    this.form.faults = {}
    this.policy = answer.value.policy
    if (!this.known) this.form.values.stationName = answer.value.stationName
    return null
  }

  /** Back to an address that is entered. */
  dropCode(): void {
    this.fromCode = null
    this.replacesStore = false
  }

  /** Fills the fields with the parts of a pasted address. */
  split(): void {
    const { values } = this.form
    const parts = splitAddress(values.host)
    if (!parts) return
    for (const name of ['host', 'port', 'database', 'user', 'password'] as const) {
      const part = parts[name]
      if (part === undefined) continue
      values[name] = part
      this.form.typed(name)
    }
  }

  async takeFile(file: File | undefined): Promise<void> {
    if (!file) return
    // A larger one is refused without reading it.
    this.form.values.certificate = file.size > longestCertificate ? '' : await file.text()
    this.form.typed('certificate')
    if (!isPem(this.form.values.certificate))
      this.form.faults = { ...this.form.faults, certificate: { key: 'join.form.certificate.wrong' } }
  }

  async try(): Promise<void> {
    if (this.isTrying || this.form.isSaving) return
    this.split()
    this.form.error = null
    this.form.faults = this.#faultsOf(this.form.values)
    if (Object.values(this.form.faults).some((fault) => fault !== undefined)) return
    this.isTrying = true
    const of = this.#entered()
    const answer = await this.#client.call('join.try', this.#input())
    this.isTrying = false
    if (!answer.ok) this.#refused(answer.error)
    else if (of === this.#entered()) this.#show(answer.value)
  }

  /** Shows what was found. A name that is taken is replaced by one that is free. */
  #show(test: JoinTest): void {
    if (test.kind === 'trouble' && test.freeName !== null) this.form.values.stationName = test.freeName
    // Both stores are compared for each address anew.
    if (!this.fromCode && this.#found?.of !== this.#entered()) this.replacesStore = false
    this.#found = { of: this.#entered(), test }
  }

  /** A code that can't be used any more is dropped: another one has to be scanned. */
  #refused(error: AppError): void {
    if (error.code === 'join/code-unusable') {
      this.dropCode()
      this.codeError = error
    } else this.form.error = error
  }

  async join(): Promise<boolean> {
    if (this.isTrying) return false
    this.split()
    const before = this.found
    if (!this.fromCode && (before?.kind !== 'works' || !before.replaces)) this.replacesStore = false
    const isJoined = await this.form.save()
    const { error } = this.form
    if (error?.code !== 'join/code-needed') this.#found = null
    // Shown as a try shows it, with what can be done about it.
    if (error) this.form.error = null
    if (error?.code === 'join/code-needed') {
      const replaces = before?.kind === 'works' ? before.replaces : null
      this.#show({ kind: 'works', stations: error.count, isNew: false, needsCode: true, replaces })
    } else if (error?.code === 'join/other-store' && !this.fromCode) {
      // The try shows both stores.
      await this.try()
    } else if (error?.code === 'join/trouble') {
      const { trouble, answer, freeName } = error
      this.#show({ kind: 'trouble', trouble, answer, freeName })
    } else if (error) this.#refused(error)
    return isJoined
  }

  #entered(): string {
    const { codeText: _, ...values } = this.form.values
    return JSON.stringify([values, this.fromCode])
  }

  #input(): JoinForm {
    const { host, port, database, user, password, certificate, stationName } = this.form.values
    const address = this.fromCode ?? { host: host.trim(), port: Number(port), database, user }
    return {
      ...{ host: address.host, port: address.port, database: address.database, user: address.user },
      certificate: certificate.trim() === '' ? null : certificate,
      stationName,
      policy: this.policy,
      password: password === '' || this.fromCode ? null : password,
      fromCode: this.fromCode?.id ?? null,
      makesKey: this.makesKey,
      replacesStore: this.replacesStore,
    }
  }

  #faultsOf(entered: Entered): Faults<Entered> {
    const { certificate } = entered
    const isWrong = certificate.trim() !== '' && !isPem(certificate)
    const lacks = this.fromCode?.needsCertificate === true && certificate.trim() === ''
    const faults: Faults<Entered> = {
      stationName: entered.stationName === '' ? { key: 'label.required' } : nameFault(entered.stationName, 40),
    }
    if (isWrong || lacks) faults.certificate = { key: 'join.form.certificate.wrong' }
    if (this.fromCode) return faults
    const host = hostFault(entered.host.trim())
    const isPort = /^\d{1,5}$/.test(entered.port.trim()) && JoinedHub.shape.port.safeParse(Number(entered.port)).success
    return {
      ...faults,
      host: host ? { key: `join.form.host.${host}` } : undefined,
      port: isPort ? undefined : { key: 'join.form.port.wrong' },
      database: textFault('database', entered.database),
      user: textFault('user', entered.user),
      password: entered.password === '' && !this.known ? { key: 'label.required' } : undefined,
    }
  }
}

const isPem = (text: string) => text.length <= longestCertificate && text.includes('-----BEGIN CERTIFICATE-----')

function textFault(name: 'database' | 'user', text: string): Text | undefined {
  if (text.trim() === '') return { key: 'label.required' }
  if (JoinForm.shape[name].safeParse(text).success) return undefined
  return { key: text.length > 63 ? 'label.too-long' : 'name.unfit' }
}

/** What is asked about an entered address. `isNew`: no store is set up there. */
export function addressQuestion(store: StoreShown, own: StoreShown, isNew: boolean) {
  if (isNew) return 'join.form.other.address.new'
  return store.id === null || own.id === null ? 'join.form.other.address.unknown' : 'join.form.other.address'
}

/** What is asked about a code that isn't known to be of this station's store. */
export function storeQuestion(store: StoreShown, own: StoreShown) {
  if (store.id === null || own.id === null) return 'join.form.other.unknown'
  return store.id === own.id ? 'join.form.other.key' : 'join.form.other'
}

/** A store by its name; with its hub where the name doesn't tell it from the other one. */
export function shownStore({ name, host, port, database }: StoreShown, other: StoreShown): string {
  if (name === null) return host
  if (name !== other.name) return name
  return host === other.host ? `${name} (${host}:${port}, ${database})` : `${name} (${host})`
}

/** What a try found, in words. */
export function joinTestText(found: JoinTest): { tone: ChipTone; what: Text; next: Text } {
  if (found.kind === 'trouble') {
    const key = `join.trouble.${found.trouble}` as const
    const { freeName } = found
    if (freeName !== null)
      return { tone: 'bad', what: { key }, next: { key: 'join.trouble.name-taken.free', values: { name: freeName } } }
    return { tone: 'bad', what: { key }, next: { key: `${key}.next` } }
  }
  const { stations, isNew, needsCode } = found
  const values = { stations }
  if (needsCode)
    return {
      tone: 'attention',
      what: { key: 'join.found.needs-code' },
      next: { key: 'join.found.needs-code.next', values },
    }
  return isNew
    ? { tone: 'good', what: { key: 'join.found.new' }, next: { key: 'join.found.new.next' } }
    : { tone: 'good', what: { key: 'join.found.works', values }, next: { key: 'join.found.works.next' } }
}
