import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { z } from 'zod'
import { noKeychain } from '../../src-main/credentials/os-keychain'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { openStation } from '../../src-main/station/station'
import { lastLines } from '../../src-main/support/support'
import { CallAnswer } from '../../src-shared/ipc/client'
import { type CallName, callNames } from '../../src-shared/ipc/contract'
import { fakeScanners } from '../fakes/hid-layer'
import { removeFolder } from '../remove-folder'
import { payloadsFor } from './payloads'

interface FuzzResult {
  calls: number
  payloads: number
  /** Inputs that the station accepted. */
  taken: number
  answered: number
  /** Calls without an answer in time, or with an answer outside the contract. */
  unanswered: number
  /** Uncaught exceptions; in production each would end the process. */
  crashed: number
  /** Answers that admit a bug, by call. */
  bugs: string[]
  /** Origins outside this computer that got a request. */
  foreign: string[]
  /** Whether the station still works and `Object.prototype` is unchanged. */
  isWell: boolean
  seed: number
}

const Request = z.object({ request: z.object({ origin: z.coerce.string() }) })
const patience = 60_000
const sideBySide = 4

/** Sends generated inputs to every call of a whole station, including practice service and store. */
export async function fuzz({ perCall, seed }: { perCall: number; seed: number }): Promise<FuzzResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag fuzz '))
  const station = await openStation({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../resources'),
    version: '0.0.0-fuzz',
    scanners: fakeScanners().layer,
    keychain: noKeychain,
  })
  const dispatch = createDispatch({ station, rateLimit: unlimited, isTrusted: () => true })
  const result: FuzzResult = {
    calls: callNames.length,
    payloads: 0,
    taken: 0,
    answered: 0,
    unanswered: 0,
    crashed: 0,
    bugs: [],
    foreign: [],
    isWell: false,
    seed,
  }
  const onCrash = (cause: unknown) => {
    result.crashed++
    result.bugs.push(`uncaught: ${cause instanceof Error ? (cause.stack ?? cause.message) : typeof cause}`)
  }
  const onRequest = (message: unknown) => {
    const origin = Request.safeParse(message).data?.request.origin ?? ''
    if (!/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(origin)) result.foreign.push(origin)
  }
  process.on('uncaughtException', onCrash)
  process.on('unhandledRejection', onCrash)
  subscribe('undici:request:create', onRequest)

  const send = async (name: CallName, input: unknown) => {
    result.payloads++
    const late = new AbortController()
    const answer: unknown = await Promise.race([
      dispatch('page', name, input),
      pause(patience, undefined, { signal: late.signal }).catch(() => undefined),
    ])
    late.abort()
    const parsed = CallAnswer.safeParse(answer)
    if (!parsed.success) {
      result.unanswered++
      return
    }
    result.answered++
    if (parsed.data.ok) result.taken++
    else if (parsed.data.error.code === 'app/unexpected') result.bugs.push(name)
  }
  /** Undoes what the last inputs may have switched on: the PIN, an outage, another connection. */
  const soothe = async () => {
    await dispatch('page', 'practice.setFault', { fault: 'none' })
  }

  try {
    // Calls that lock or slow down the station come last, so that the other calls find it working.
    const last = new Set<CallName>([
      ...(['people.setRules', 'security.setPin', 'security.unlock', 'profile.use', 'practice.setFault'] as const),
    ])
    const order = [...callNames.filter((name) => !last.has(name)), ...last]
    for (const [index, name] of order.entries()) {
      const inputs = fc.sample(payloadsFor(name), { numRuns: perCall, seed: seed + index })
      const left = inputs.values()
      // Lanes that share one list: each takes the next entry.
      const lane = async () => {
        for (const input of left) await send(name, input)
      }
      await Promise.all(Array.from({ length: sideBySide }, lane))
      await soothe()
    }
    const status = await dispatch('page', 'app.status', undefined)
    // With the log's text: a name alone is no help.
    const failures = lastLines(station.diagnostics.files.logFile, 10_000).filter((line) =>
      line.includes('a call failed'),
    )
    result.bugs.push(...failures.map((line) => line.slice(0, 1_000)))
    result.isWell = status.ok && !('isAdmin' in {})
  } finally {
    await station.close()
    process.off('uncaughtException', onCrash)
    process.off('unhandledRejection', onCrash)
    unsubscribe('undici:request:create', onRequest)
    await removeFolder(dataDir)
  }
  return result
}

export const closingLine = ({ payloads, calls, answered, unanswered, crashed }: FuzzResult) =>
  `${payloads} payloads over ${calls} calls: ${answered} answered, ${unanswered} unanswered, ${crashed} crashed`
