import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import { type Report, heldOf, untruthsOf } from './judge'
import type { Lot } from './shop'
import type { Stand } from './stand'
import type { Watch } from './watch'

/** Requests the content of the screens, while the service misbehaves and afterwards, and checks it. */
interface Screens {
  /** Compares everything shown about a report with what the service holds at that moment. */
  look: (report: Report) => Promise<void>
  /** A person's readings: each is answered, or refused with a reason that isn't a bug. */
  lookUp: () => Promise<void>
  /** Waits until the bar shows one of these states; `what` is the complaint if it doesn't. */
  barSays: (states: readonly ConnectionView['state'][], what: string, until: number) => Promise<void>
  /** A call that need not be in the contract; returns its error code, or undefined on success. */
  tries: (call: string, input: unknown) => Promise<string | undefined>
}

interface ScreenParts {
  stand: Stand
  watch: Watch
  lot: Lot
}

const Coded = z.object({ ok: z.literal(false), error: z.object({ code: z.string() }) })
const everyOrder = { days: null, state: null, budtenderId: null, text: '' }

/** This computer's day, as the day's report counts it. */
export function today(): string {
  const now = new Date()
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

export function createScreens({ stand: { child, service }, watch, lot }: ScreenParts): Screens {
  const isHeld = (report: Report) => heldOf(service.admin, report).times > 0
  const tries = async (call: string, input: unknown): Promise<string | undefined> => {
    const answer = await child.invoke(call, input).catch(() => undefined)
    if (answer === undefined) return 'app/unanswered'
    const coded = Coded.safeParse(answer)
    return coded.success ? coded.data.error.code : undefined
  }

  return {
    tries,
    async look(report) {
      const before = isHeld(report)
      await watch.must('app.status', undefined)
      const lists = []
      for (const show of ['waiting', 'attention', 'recent'] as const) {
        lists.push({ show, list: await watch.must('outbox.list', { show }) })
      }
      const page = await watch.must('checkout.orders', { filter: everyOrder, before: null })
      await watch.must('checkout.day', { day: today() })
      const after = isHeld(report)
      for (const { show, list } of lists) {
        const view = list?.operations.find(
          ({ kind, orderId, caseId }) =>
            kind === report.kind && (orderId === report.subject || caseId === report.subject),
        )
        if (view) watch.addOf(report, untruthsOf(view, { before, after }, `outbox.list (${show})`))
      }
      const order = page?.orders.find((one) => one.orderId === report.subject)
      if (report.kind === 'complete' && order?.state === 'reported' && !after) {
        const text = 'checkout.orders says reported, and the service does not have it'
        watch.addOf(report, [{ kind: 'untrue', text }])
      }
    },
    async lookUp() {
      const asked: [call: string, input: unknown][] = [
        ['receiving.case', { identifier: lot.caseId }],
        ['receiving.package', { packageUid: lot.packageUid }],
        ['find.search', { text: 'Product' }],
        ['find.entity', { kind: 'tag', id: lot.tagId }],
        ['find.entity', { kind: 'collection', id: lot.caseId }],
        ['find.removed', { type: null }],
      ]
      await Promise.all(
        asked.map(async ([call, input]) => {
          const code = await tries(call, input)
          if (code && /^(app|ipc)\//.test(code)) watch.complain('error', `${call} failed: ${code}`)
        }),
      )
    },
    async barSays(states, what, until) {
      for (;;) {
        const state = (await watch.must('app.status', undefined))?.connection.state
        if (state !== undefined && states.includes(state)) return
        if (performance.now() > until) {
          watch.complain('untrue', `the bar says ${state ?? 'nothing'}, ${what}`)
          return
        }
        await pause(100)
      }
    },
  }
}
