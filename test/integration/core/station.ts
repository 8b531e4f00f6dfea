import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppError } from '../../../src-shared/errors'
import type { OperationId } from '../../../src-shared/ids'
import { type Client, createClient } from '../../../src-shared/ipc/client'
import type { PracticeCode } from '../../../src-shared/ipc/contract/app'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import { type App, type Surroundings, compose } from '../../../src-main/app/compose'
import type { ClientCredentials } from '../../../src-main/credentials/store'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { parseDataFile } from '../../../src-practice/data-file'
import { type PracticeKnobs, practiceKnobs } from '../../fakes/practice-admin'
import { outcomeOf } from './outcome'

/** A whole station against its own practice service over HTTP, used through the contract as the renderer does. */
export interface Station {
  client: Client
  knobs: PracticeKnobs
  dataDir: string
  /** The address of the service, for another till. */
  practice: { baseUrl: string }
  /** The value of a call that must succeed. Where a gate asks, a person gives a reason. */
  ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  /** The error of a call that must fail. */
  refused<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<AppError>
  codes(kind: PracticeCode['kind'], about?: PracticeCode['about']): Promise<string[]>
  /** Resolves once the station is online. */
  online(): Promise<void>
  /** Resolves once no report is unsent. */
  drained(): Promise<void>
  /** A report of the counter once an outcome is no longer to be expected soon: as the screens show it then. */
  outcomeOf(id: OperationId): Promise<OperationView>
  /** `meanwhile` changes files while the station is closed. */
  restart(meanwhile?: () => unknown): Promise<void>
  close(): Promise<void>
}

/** What a person enters where a gate asks. */
const approval = { reason: 'Asked for by a test' }

/** Generous: on a busy machine the service may answer late, and no scan does without it by chance. */
const lookupPatience = 20_000

const resourcesDir = join(import.meta.dirname, '../../../resources')

export async function startStation(
  options: Pick<
    Surroundings,
    'clock' | 'steady' | 'credentials' | 'startPractice' | 'hub' | 'gateLevels' | 'lookupPatience'
  > = {},
): Promise<Station> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-'))
  const open = async () => {
    const app = await compose({ dataDir, resourcesDir, version: '0.0.0-test', lookupPatience, ...options })
    const dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
    const client = createClient({
      invoke: async (call, input) => wireCopy(await dispatch('test', call, wireCopy(input))),
      subscribe: (name, listener) =>
        app.events.listen((event, payload) => {
          if (event === name) listener(wireCopy(payload))
        }),
    })
    return { app, client, knobs: practiceKnobs(app.practice?.adminUrl ?? '') }
  }
  let running: { app: App; client: Client; knobs: PracticeKnobs } = await open()

  const station: Station = {
    get client() {
      return running.client
    },
    get knobs() {
      return running.knobs
    },
    dataDir,
    get practice() {
      return { baseUrl: running.app.practice?.baseUrl ?? '' }
    },
    async ask(name, input) {
      const asked = await running.client.call(name, input)
      const isGated = !asked.ok && asked.error.code === 'gate/not-asked'
      const answer = isGated ? await running.client.call(name, Object.assign({}, input, { approval })) : asked
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
      return answer.value
    },
    async refused(name, input) {
      const answer = await running.client.call(name, input)
      if (answer.ok) throw new Error(`${name} was expected to fail, but gave ${JSON.stringify(answer.value)}`)
      return answer.error
    },
    async codes(kind, about) {
      const all = await station.ask('practice.codes', undefined)
      return all
        .filter((code) => code.kind === kind && (about === undefined || code.about === about))
        .map((code) => code.text)
    },
    async online() {
      if (await becomes(station, ({ connection }) => connection.state === 'online')) return
      throw new Error('the connection did not come back')
    },
    async drained() {
      if (await becomes(station, ({ unsent }) => unsent === 0)) return
      throw new Error(`not drained: ${JSON.stringify(await station.ask('outbox.list', { show: 'waiting' }))}`)
    },
    outcomeOf: (id) => outcomeOf(station, id),
    async restart(meanwhile) {
      await running.app.close()
      await meanwhile?.()
      running = await open()
    },
    async close() {
      await running.app.close()
      rmSync(dataDir, { recursive: true })
    },
  }
  return station
}

/** Whether the status becomes what is waited for. A minute is generous: on a busy machine, reports wait for their turn. */
async function becomes(station: Station, isSo: (status: CallOutput<'app.status'>) => boolean): Promise<boolean> {
  for (let look = 0; look < 1_200; look++) {
    if (isSo(await station.ask('app.status', undefined))) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** A value as it arrives over a wire. */
const wireCopy = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** The id at the end of a printed URL. */
export const idIn = (text: string) => decodeURIComponent(text.split('/').at(-1) ?? '')

/** The practice store's account for its own station. */
export function practiceAccount(): ClientCredentials {
  const data = parseDataFile(readFileSync(join(resourcesDir, 'practice', 'store.json'), 'utf8'))
  const account = data.ok ? data.value.accounts.find((one) => one.product === 'retail') : undefined
  if (!account) throw new Error('the practice store has no retail account')
  return { clientId: account.client_id, clientSecret: account.client_secret }
}
