import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import { createClient } from '../../../src-shared/ipc/client'
import type { ConnectionStep, ProfileForm } from '../../../src-shared/ipc/contract/station'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import { parseId, TagId } from '../../../src-shared/ids'
import { outcomeOf } from '../core/outcome'
import { systemClock } from '../../../src-main/core/clock'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { openStation } from '../../../src-main/station/station'
import { codesOf } from '../../../src-practice/practice-codes'
import { parseDataFile } from '../../../src-practice/data-file'
import { startPracticeService } from '../../../src-practice/start'
import { fakeKeychain } from '../../fakes/keychain'
import { type PracticeKnobs, practiceKnobs } from '../../fakes/practice-admin'

const resourcesDir = join(import.meta.dirname, '../../../resources')

/** A shop with a real connection: a service on loopback outside the station, a keychain, a till. */
export async function openShop() {
  const parsed = parseDataFile(readFileSync(join(resourcesDir, 'practice', 'store.json'), 'utf8'))
  if (!parsed.ok) throw new Error(parsed.error)
  // Accounts other than those in the practice store's own files.
  const data = {
    ...parsed.value,
    accounts: parsed.value.accounts.map((one) => ({
      ...one,
      client_id: `shop-${one.client_id}`,
      client_secret: `hush-${one.client_secret}`,
    })),
  }
  const account = data.accounts.find((one) => one.product === 'retail' && one.dispensary_uuid !== null)
  if (!account) throw new Error('no retail account')
  const serviceDir = mkdtempSync(join(tmpdir(), 'countertag service '))
  const serviceDb = join(serviceDir, 'service.db')
  const service = await startPracticeService({ data, db: serviceDb, port: 0, picturesDir: undefined })
  const codes = codesOf(data, account.dispensary_uuid ?? '')
  const fake = fakeKeychain()
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag shop ü '))
  const knobs: PracticeKnobs = practiceKnobs(service.adminUrl)
  /** As sent over the wire: every answer of every call, and every event. */
  const heard: string[] = []
  const steps: ConnectionStep[] = []
  let aheadMs = 0
  let reopened = 0

  const open = async (startWith?: string) => {
    const station = await openStation({
      dataDir,
      resourcesDir,
      version: '0.0.0-test',
      startWith,
      keychain: fake.keychain,
      // The keychain answers at once, or only when the test says so.
      keychainPatience: 0,
      clock: { now: () => systemClock.now() + aheadMs },
    })
    station.events.listen((event, payload) => {
      heard.push(JSON.stringify(payload))
      if (event === 'app.reopened') reopened++
    })
    const dispatch = createDispatch({ station, rateLimit: unlimited, isTrusted: () => true })
    const client = createClient({
      async invoke(call, input) {
        const answer = JSON.stringify(await dispatch('test', call, input))
        heard.push(answer)
        return parsedAgain(answer)
      },
      subscribe: (name, listener) =>
        station.events.listen((event, payload) => {
          if (event === name) listener(payload)
        }),
    })
    client.on('profile.step', ({ step }) => steps.push(step))
    return { station, client, dispatch }
  }
  let running: Awaited<ReturnType<typeof open>> = await open()

  const shop = {
    dataDir,
    service,
    knobs,
    keychain: fake,
    heard,
    /** The steps announced while the last test ran. */
    steps,
    reopened: () => reopened,
    credentials: { clientId: account.client_id, clientSecret: account.client_secret },
    /** Client id and secret of an account that the service has for a product. */
    credentialsOf(product: 'retail' | 'sourcing') {
      const found = data.accounts.find((one) => one.product === product)
      if (!found) throw new Error(`no ${product} account`)
      return { clientId: found.client_id, clientSecret: found.client_secret }
    },
    /** Sets the till's own clock this many ms ahead. */
    setClockAhead: (ms: number) => (aheadMs = ms),
    get station() {
      return running.station
    },
    /** Without the checks of our own page. */
    async invoke(call: string, input: unknown): Promise<unknown> {
      const answer = JSON.stringify(await running.dispatch('test', call, input))
      heard.push(answer)
      return JSON.parse(answer)
    },
    call<Name extends CallName>(name: Name, input: CallInput<Name>) {
      return running.client.call(name, input)
    },
    async ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      const answer = await running.client.call(name, input)
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
      return answer.value
    },
    async refused<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<AppError> {
      const answer = await running.client.call(name, input)
      if (answer.ok) throw new Error(`${name} was expected to fail`)
      return answer.error
    },
    form: (different: Partial<ProfileForm> = {}): ProfileForm => ({
      kind: 'test',
      name: 'Shop',
      baseUrl: service.baseUrl,
      retailAuthUrl: service.authUrl,
      sourcingAuthUrl: null,
      dispensaryId: account.dispensary_uuid,
      sendsSku: true,
      caFile: null,
      ...different,
    }),
    /** Sets the connection up like a person; returns its id. */
    async setUp(different: Partial<ProfileForm> = {}): Promise<string> {
      const { profiles } = await shop.ask('profile.save', { id: null, profile: shop.form(different) })
      const id = profiles.at(-1)?.id ?? ''
      await shop.ask('profile.setCredentials', { id, product: 'retail', credentials: shop.credentials })
      return id
    },
    /** Each step of a connection test: its state and error code. */
    async test(id: string): Promise<string[]> {
      steps.length = 0
      const all = await shop.ask('profile.test', { id })
      return all.map(
        ({ step, state, error }) =>
          `${step} ${state}${error ? ` ${error.code}` : ''}${error && 'reason' in error ? ` ${error.reason}` : ''}`,
      )
    },
    /** Items in the shop's data that can be sold. */
    sellable: (count: number): TagId[] =>
      codes
        .filter(({ kind }) => kind === 'tag')
        .slice(-count)
        .map(({ text }) => {
          const tagId = parseId(decodeURIComponent(text.split('/').at(-1) ?? ''))
          return TagId.parse(tagId)
        }),
    packages: () => codes.filter(({ kind }) => kind === 'package').map(({ text }) => text),
    /** The product data that an import sent to the service. */
    skuAtService(posProductId: string): unknown {
      const db = new Sqlite(serviceDb, { readonly: true })
      try {
        return db.prepare('SELECT sku FROM catalog_products WHERE pos_product_id = ?').get(posProductId)
      } finally {
        db.close()
      }
    },
    /** Whether each report contained a customer. The service does not store the customer itself. */
    hadCustomers(): unknown[] {
      const db = new Sqlite(serviceDb, { readonly: true })
      try {
        return db.prepare('SELECT has_customer FROM transactions ORDER BY rowid').pluck().all()
      } finally {
        db.close()
      }
    },
    async sell(orderId: string, tagIds: readonly string[]) {
      await shop.ask('checkout.setOrder', { mode: 'sale', orderId })
      for (const tagId of tagIds) await shop.ask('checkout.addItem', { mode: 'sale', tagId })
      const { orderId: number, itemCount, revision } = await shop.ask('checkout.cart', { mode: 'sale' })
      const cart = { mode: 'sale', orderId: number, itemCount, revision, isMeant: true } as const
      return outcomeOf(shop, (await shop.ask('checkout.finish', cart)).id)
    },
    /** Resolves once a condition holds for the status of the station. */
    async until(wanted: (status: CallOutput<'app.status'>) => boolean): Promise<void> {
      for (let look = 0; look < 1_200; look++) {
        if (wanted(await shop.ask('app.status', undefined))) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`it never came to that: ${JSON.stringify(await shop.ask('app.status', undefined))}`)
    },
    /** `meanwhile` changes files while the station is closed. */
    async restart(meanwhile: () => void = () => undefined, startWith?: string) {
      await running.station.close()
      meanwhile()
      running = await open(startWith)
    },
    async close() {
      await running.station.close()
      await service.close()
      rmSync(dataDir, { recursive: true })
      rmSync(serviceDir, { recursive: true })
    },
  }
  return shop
}

/** An answer as it arrives over a wire. */
const parsedAgain = (text: string): unknown => JSON.parse(text)

export type Shop = Awaited<ReturnType<typeof openShop>>
