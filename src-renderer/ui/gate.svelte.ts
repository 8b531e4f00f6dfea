import type { AppError } from '../../src-shared/errors'
import { type GateLevel, GateQuestion, type Approval } from '../../src-shared/gates'
import type { Client } from '../../src-shared/ipc/client'
import { ShortName } from '../../src-shared/people'
import { OperationView } from '../../src-shared/ipc/contract/outbox'
import { ManyDone } from '../../src-shared/ipc/contract/receiving'
import type { Result } from '../../src-shared/result'
import type { Text } from '../text/text.svelte'
import { explain } from '../text/errors'
import { dateOf } from '../text/moments'
import type { ChipTone } from './tones'

/** A question before a change, in words. */
interface Question {
  title: Text
  /** The consequence, in one sentence. */
  means: Text
  /** What it is about, where the title doesn't say. */
  about?: { tone: ChipTone; text: Text; code: string }
  stay: Text
  go: Text
  isDangerous: boolean
  wants: GateLevel
  /** Where the reason goes, if not only into this computer's history. */
  reasonHint?: Text
  /** It is signed: the name of the person is asked for instead of a reason. */
  asksName?: boolean
  /** What it is about has changed since it was asked and answered: it is asked again. */
  hasChanged?: boolean
}

/** What a question needs to know of the people of the store. */
interface Approvers {
  /** A lead can approve in place of the manager's PIN. */
  canApprove: () => boolean
  /** The manager's PIN is enough, too. */
  hasStorePin: () => boolean
  /** The person who stays signed in. */
  signedIn: () => string | null
}

const noApprovers: Approvers = { canApprove: () => false, hasStorePin: () => true, signedIn: () => null }

/** How long Undo is offered for what was saved and not sent, in ms. */
const undoTime = 10_000

/** Asks once before a regulated change, with the reason and the PIN where main wants them. One dialog for all screens. */
export class Gate {
  asked = $state.raw<Question | null>(null)
  reason = $state('')
  pin = $state('')
  /** Of the lead who approves. */
  shortName = $state('')
  /** The lead whose badge was scanned. */
  shown = $state.raw<{ proof: string; name: string } | null>(null)
  /** What is wrong with the lead's approval, beside the field. */
  leadFault = $state.raw<Text | null>(null)
  error = $state.raw<AppError | null>(null)
  isReasonMissing = $state(false)
  isPinMissing = $state(false)
  isBusy = $state(false)
  /** A scan arrived while it was open: it was not taken. */
  hasMissedScan = $state(false)
  /** What was permitted last, as long as none of it reached the service and Undo is offered. */
  unsent = $state.raw<OperationView[]>([])
  /** A try to send it is under way: until it ends, nothing can be withdrawn. */
  isBeingSent = $derived(this.unsent.some(isSending))
  undoError = $state.raw<AppError | null>(null)

  readonly #client: Client
  readonly #approvers: Approvers
  /** Returns what tells the caller of `ask`, once the question is closed; null if it stays open. */
  #submit: ((approval: Approval) => Promise<(() => void) | null>) | null = null
  #leave: () => void = () => undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #errorTimer: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client, approvers = noApprovers) {
    this.#client = client
    this.#approvers = approvers
  }

  /** The store has leads, who approve by badge, or by short name and PIN. */
  get hasLeads(): boolean {
    return this.#approvers.canApprove()
  }

  /** A lead approves what is asked. */
  get wantsLead(): boolean {
    return this.asked?.wants === 'pin' && this.hasLeads
  }

  /** Whether a manager or a lead is wanted. Without an answer, too: main ignores a PIN where none is set. */
  async needsPin(): Promise<boolean> {
    if (this.hasLeads) return true
    const view = await this.#client.call('security.view', undefined)
    return !view.ok || view.value.hasPin || view.value.isPinRequired
  }

  /** The manager's PIN is enough, without a short name. */
  get takesStorePin(): boolean {
    return this.#approvers.hasStorePin()
  }

  get signedIn(): string | null {
    return this.#approvers.signedIn()
  }

  /** A lead's badge was scanned: it approves, once the reason is there. */
  show(proof: string, name: string): void {
    if (this.isBusy) return
    this.shown = { proof, name }
    this.leadFault = null
    void this.submit()
  }

  /**
   * Asks, and makes the change with what was entered, again after a wrong PIN. Returns what came of it and the approval;
   * null if the person left, or if another question is open.
   */
  ask<T>(
    question: Question,
    change: (approval: Approval) => Promise<Result<T, AppError>>,
  ): Promise<{ answer: Result<T, AppError>; approval: Approval } | null> {
    if (this.asked) return Promise.resolve(null)
    this.#clear()
    this.asked = question
    return new Promise((resolve) => {
      this.#leave = () => {
        resolve(null)
      }
      this.#submit = async (approval) => {
        const answer = await change(approval)
        if (!answer.ok && isOfPermit(answer.error)) {
          this.#refuse(answer.error)
          return null
        }
        if (answer.ok) this.#offerUndo(answer.value)
        return () => {
          resolve({ answer, approval })
        }
      }
    })
  }

  close(): void {
    if (this.isBusy) return
    this.#leave()
    this.#clear()
  }

  async submit(): Promise<void> {
    if (!this.asked || !this.#submit || this.isBusy) return
    const { wants } = this.asked
    const reason = this.reason.trim()
    const pin = this.pin.trim()
    const by = this.#by(pin)
    this.error = null
    this.leadFault = by === undefined ? { key: 'people.short-name.form' } : null
    this.isReasonMissing = wants !== 'ask' && reason === ''
    this.isPinMissing = wants === 'pin' && pin === '' && !this.shown
    if (this.isReasonMissing || this.isPinMissing || by === undefined) return
    this.isBusy = true
    const tell = await this.#submit({ ...(reason !== '' && { reason }), ...by })
    this.isBusy = false
    this.pin = ''
    // A badge proves once.
    this.shown = null
    if (!tell) return
    // First: the caller may ask again.
    this.#clear()
    tell()
  }

  /** Who approves; undefined if that can't be a short name. */
  #by(pin: string): Pick<Approval, 'by' | 'pin'> | undefined {
    if (this.shown) return { by: { proof: this.shown.proof } }
    const isStorePin = !this.wantsLead || (this.takesStorePin && this.shortName.trim() === '')
    if (isStorePin) return pin === '' ? {} : { pin }
    const shortName = ShortName.safeParse(this.shortName)
    return shortName.success ? { by: { shortName: shortName.data, pin } } : undefined
  }

  #refuse(error: AppError): void {
    const { what, next } = explain(error)
    if (error.code.startsWith('people/')) this.leadFault = { key: 'people.fault', values: { what, next } }
    else this.error = error
  }

  #clear(): void {
    this.asked = null
    this.reason = this.pin = this.shortName = ''
    this.shown = null
    this.leadFault = null
    this.error = null
    this.isReasonMissing = this.isPinMissing = this.hasMissedScan = false
    this.#submit = null
    this.#leave = () => undefined
  }

  #offerUndo(saved: unknown): void {
    const operations = operationsIn(saved).filter(({ undo }) => undo === 'withdraw')
    if (operations.length === 0) return
    this.unsent = operations
    this.forgetUndoError()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.stopUndo()
    }, undoTime)
  }

  /** Withdraws what was permitted last. What was sent in the meantime stays, and says so. */
  async undo(): Promise<void> {
    if (this.isBeingSent) return
    const operations = this.unsent
    this.stopUndo()
    for (const { id } of operations.toReversed()) {
      const answer = await this.#client.call('outbox.withdraw', { operationId: id })
      if (!answer.ok) this.#failUndo(answer.error)
    }
  }

  /** Says why something could not be taken back, for as long as Undo is offered or until the next scan. */
  #failUndo(error: AppError): void {
    this.undoError = error
    clearTimeout(this.#errorTimer)
    this.#errorTimer = setTimeout(() => {
      this.forgetUndoError()
    }, undoTime)
  }

  forgetUndoError(): void {
    clearTimeout(this.#errorTimer)
    this.undoError = null
  }

  stopUndo(): void {
    clearTimeout(this.#timer)
    this.unsent = []
    this.forgetUndoError()
  }

  /** Main says what can be undone. A try that fails without a connection leaves it as it was, so the offer outlasts it. */
  operationChanged(operation: OperationView): void {
    const unsent = this.unsent.map((one) => (one.id === operation.id ? operation : one))
    this.unsent = unsent.filter((one) => one.undo === 'withdraw' || isSending(one))
  }
}

const isSending = ({ state }: OperationView) => state === 'sending'

/** The approval itself is refused: it can be entered again. */
const isOfPermit = (error: AppError) =>
  ofPermit.has(error.code) || (error.code === 'people/not-permitted' && error.needs === 'approve')

const ofPermit: ReadonlySet<AppError['code']> = new Set<AppError['code']>([
  ...(['security/wrong-pin', 'security/no-pin', 'gate/reason-missing', 'gate/pin-missing'] as const),
  ...(['people/wrong-pin', 'people/no-badge'] as const),
])

function operationsIn(saved: unknown): OperationView[] {
  const one = OperationView.safeParse(saved)
  if (one.success) return [one.data]
  const list = OperationView.array().safeParse(saved)
  if (list.success) return list.data
  return ManyDone.safeParse(saved).data?.saved ?? []
}

/** A person left the question: nothing was changed, and nothing is to be said. */
export const isLeft = ({ code }: AppError): boolean => code === 'gate/not-asked'

/** Gates whose change destroys nothing. */
const harmless = new Set<GateQuestion['gate']>([
  'put-back',
  'restore-collection',
  'add-items',
  'add-case',
  'sign-count',
])

/** Why a certificate speaks against an import, as its texts want it. */
function certificateValues({ certificate }: Pick<GateQuestion, 'certificate'>) {
  const date = certificate?.expiredOn == null ? undefined : dateOf(certificate.expiredOn)
  const why =
    certificate === undefined ? 'unknown' : certificate.expiredOn === null ? 'failed' : date ? 'expired' : 'past'
  return { why, date: date ?? new Date(0) }
}

const questionOf = (question: GateQuestion & { wants: GateLevel }): Question => {
  const { gate, count, name, wants } = question
  const values = {
    ...{ count, name: name ?? '', isNamed: name === null ? 'no' : 'yes' },
    ...(gate === 'import-against-certificate' && certificateValues(question)),
  }
  return {
    title: { key: `gate.${gate}.title`, values },
    means: { key: `gate.${gate}.means`, values },
    stay: { key: 'action.cancel' },
    go: { key: `gate.${gate}.go`, values },
    asksName: gate === 'sign-count',
    isDangerous: !harmless.has(gate),
    wants,
  }
}

/**
 * A client that asks when main answers gate/not-asked, and repeats the call with the approval. If the person leaves, the
 * caller gets that refusal. An approval covers the one call whose question was answered: if something changed since, main asks
 * again, and so does this.
 */
export function gating(client: Client, gate: Gate): Client {
  return {
    async call(name, input) {
      let answer = await client.call(name, input)
      for (let isAgain = false; !answer.ok && answer.error.code === 'gate/not-asked'; isAgain = true) {
        const asked = GateQuestion.parse(answer.error)
        const passed = await gate.ask({ ...questionOf(answer.error), hasChanged: isAgain }, (approval) =>
          client.call(name, Object.assign({}, input, { approval: { ...approval, asked } })),
        )
        if (!passed) break
        answer = passed.answer
      }
      return answer
    },
    on: client.on.bind(client),
  }
}
