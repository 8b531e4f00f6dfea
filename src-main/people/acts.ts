import type { ActName } from '../../src-shared/acts'
import type { AppError } from '../../src-shared/errors'
import type { CallName, CallRequest } from '../../src-shared/ipc/contract'
import type { Permission } from '../../src-shared/people'
import { ok } from '../../src-shared/result'
import type { Log } from '../core/log'
import { saved } from '../database/saved'
import type { Hands } from '../ipc/dispatch'
import type { Journal } from '../outbox/journal'
import type { SignIn } from './sign-in'

/** What a call is, beyond a report: which permission it needs, and what the journal says of it once it is done. */
interface CallAct<Name extends CallName> {
  needs?: Permission | ((input: CallRequest<Name>) => Permission)
  what?: ActName
  /** What it is about; nothing to note if it returns undefined. */
  subject?: (input: CallRequest<Name>) => string | null | undefined
}

const settings = { what: 'settings' } as const
const exported = { what: 'export' } as const

/**
 * Scans and what is being filled in need no name: only what ends something does. What reports something has lines of its own in
 * the journal.
 */
const callActs: { readonly [Name in CallName]?: CallAct<Name> } = {
  'receiving.import': { needs: 'receive' },
  'receiving.importBlind': { needs: 'receive' },
  'receiving.importMany': { needs: 'receive' },
  'receiving.undo': { needs: 'receive' },
  'receiving.finishDelivery': {
    needs: 'receive',
    what: 'delivery-finished',
    subject: ({ deliveryId }) => deliveryId,
  },
  'receiving.correct': { needs: 'receive', what: 'correction', subject: ({ deliveryId }) => deliveryId },
  'receiving.finishCount': { needs: 'count', what: 'count-finished', subject: ({ countId }) => countId },
  'receiving.resolve': { needs: 'count' },
  'receiving.takeOverSettling': { needs: 'count', what: 'take-over', subject: ({ countId }) => countId },
  'receiving.exportCount': exported,
  'receiving.exportHistory': exported,
  'receiving.loadCatalogue': settings,
  'receiving.forgetCatalogue': settings,

  'stock.finish': { needs: 'count', what: 'count-finished', subject: ({ countId }) => countId },
  'stock.sign': { needs: 'count', what: 'signature', subject: ({ countId }) => countId },
  'stock.export': { what: 'export', subject: ({ countId, after }) => (after === null ? countId : undefined) },

  'checkout.addItem': { what: 'take-over', subject: ({ tagId, takeOver }) => (takeOver ? tagId : undefined) },
  'checkout.finish': { needs: ({ mode }) => (mode === 'sale' ? 'sell' : 'return') },
  'checkout.void': { needs: 'return' },
  'checkout.setSettings': settings,
  'checkout.usePreset': settings,
  'checkout.exportDay': exported,
  'checkout.exportStoreDay': exported,
  'checkout.signDay': { what: 'signature', subject: ({ day }) => day },
  'checkout.closeStoreDay': { what: 'day-closed', subject: ({ day }) => day },

  'outbox.export': exported,
  'outbox.exportOutages': exported,
  'outbox.setLimits': settings,
  'journal.export': { what: 'export', subject: ({ before }) => (before === undefined ? null : undefined) },
  'customer.export': exported,
  'customer.erase': settings,
  'scanner.setSettings': settings,
  'hub.removeStation': settings,
  'hub.goOn': settings,

  'profile.save': settings,
  'profile.remove': settings,
  'profile.setCredentials': settings,
  'profile.forgetCredentials': settings,
  'join.leave': settings,
  'hosting.start': settings,
  'hosting.stop': settings,
  'security.setPin': settings,
  'security.setAutoLock': settings,
  'security.setGate': settings,
  'people.setRules': settings,
  'support.diagnostics': exported,
  'till.pdf': { what: 'print' },
  'till.change': settings,
}

interface CallHandsContext {
  signIn: SignIn
  journal: Journal
  log: Pick<Log, 'warn'>
}

/** The person of each call, whether their role allows it, and what the journal says of it. */
export const callHands = ({ signIn, journal, log }: CallHandsContext): Hands => ({
  signer: () => signIn.signer(),
  stepped() {
    if (signIn.current()) signIn.stepped()
  },
  objection<Name extends CallName>(call: Name, input: CallRequest<Name>): AppError | undefined {
    const needs = callActs[call]?.needs
    return needs === undefined ? undefined : signIn.objection(typeof needs === 'function' ? needs(input) : needs)
  },
  done<Name extends CallName>(call: Name, input: CallRequest<Name>) {
    const act = callActs[call]
    const subject = act?.subject ? act.subject(input) : null
    const what = act?.what
    if (what === undefined || subject === undefined) return
    const noted = saved(() => {
      journal.act({ actor: 'person', what, subject, detail: { call } })
      return ok(null)
    })
    if (!noted.ok) log.warn('what was done could not be noted', { call, code: noted.error.code })
  },
})
