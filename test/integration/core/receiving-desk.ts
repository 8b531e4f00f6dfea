import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServiceClock, systemClock } from '../../../src-main/core/clock'
import { type Accounts, inMemoryCredentials } from '../../../src-main/credentials/store'
import { silentLog } from '../../../src-main/core/log'
import { Memory } from '../../../src-main/memory/store'
import { Sender } from '../../../src-main/outbox/sender'
import type { Operation } from '../../../src-main/outbox/operation'
import { Outbox } from '../../../src-main/outbox/outbox'
import type { Payload } from '../../../src-main/outbox/payload'
import { createReporting } from '../../../src-main/outbox/reporting'
import { type Profile, originsOf } from '../../../src-main/credentials/profile'
import { createUndo } from '../../../src-main/receiving/import/undo'
import { createServiceClient } from '../../../src-main/service/client'
import { createConnection } from '../../../src-main/service/connection'
import { createHttp } from '../../../src-main/service/http'
import { createTokens } from '../../../src-main/service/tokens'
import { openStore } from '../../../src-main/database/open'
import { id, packageTag } from '../../../scripts/practice-data/ids'
import { parseDataFile } from '../../../src-practice/data-file'
import { startPracticeService } from '../../../src-practice/start'
import { CaseId, PackageUid, ShortUuid, TagId } from '../../../src-shared/ids'
import type { Result } from '../../../src-shared/result'
import { practiceKnobs } from '../../fakes/practice-admin'
import { eventsOf } from '../../fakes/events'

const account = (name: string) => ({ clientId: name, clientSecret: `${name}-secret` })
/** Accounts of the practice store: of our own dispensary's company, and of a brand. */
export const accounts = {
  retail: account('practice-newark'),
  sourcing: account('practice-newark-sourcing'),
  brand: account('practice-brand'),
}

/** Things of the practice store, by their names in `scripts/practice-data/cases.ts`. */
export const caseNamed = (name: string) => CaseId.parse(id('case', name))
export const tagNamed = (name: string) => TagId.parse(id('tag', name))
export const packagedProduct = (sku: string) => ShortUuid.parse(id('packaged product', sku))
export const delivery = (number: number) => PackageUid.parse(packageTag(number))

export type Desk = Awaited<ReturnType<typeof startDesk>>

/** The outbox and sender of a station, without its other parts, against the real practice service over HTTP. */
export async function startDesk(own: Accounts = { retail: accounts.retail, sourcing: accounts.sourcing }) {
  const data = parseDataFile(readFileSync(join(import.meta.dirname, '../../../resources/practice/store.json'), 'utf8'))
  if (!data.ok) throw new Error(data.error)
  const service = await startPracticeService({ data: data.value, db: ':memory:', port: 0, picturesDir: undefined })
  const knobs = practiceKnobs(service.adminUrl)
  const profile: Profile = {
    kind: 'practice',
    name: 'desk',
    baseUrl: service.baseUrl,
    authUrls: { retail: service.authUrl, sourcing: service.authUrl },
    dispensaryId: id('dispensary', 'newark'),
    sendsSku: true,
    caFile: null,
  }
  const clock = systemClock
  const serviceClock = createServiceClock()
  const http = createHttp({ origins: originsOf(profile), clockOrigin: service.baseUrl, clock, serviceClock })
  const connection = createConnection({
    clock,
    onChange: () => undefined,
    onAnswering: () => undefined,
    onRecovery: () => undefined,
    log: silentLog,
  })
  const credentials = inMemoryCredentials(own)
  const tokens = createTokens({ profile, credentials, http, clock })
  const { v12, v15, report, askNow } = createServiceClient(profile, {
    http,
    tokens,
    onAsk: (isUpload) => connection.asked(isUpload),
  })
  const { db } = openStore(':memory:')
  const seen = new Memory(db)
  const caseOf = (tagId: TagId) => seen.caseOf(tagId)
  const events = eventsOf(db)
  const outbox = new Outbox({ db, events, clock, serviceClock, caseOf, log: silentLog })
  const sender = new Sender({
    outbox,
    client: { ...v12, report },
    onCase: (facts, askedAt) => seen.keepCase(facts, askedAt, clock.now()),
    caseOf,
    ownDispensaryId: profile.dispensaryId,
    clock,
    serviceClock,
    log: silentLog,
  })
  const undo = createUndo(outbox)
  const reporting = createReporting({ events, clock }, outbox, sender, connection, 20_000)
  const must = (saved: Result<Operation, unknown>) => {
    if (!saved.ok) throw new Error(JSON.stringify(saved.error))
    return saved.value
  }
  const now = ({ id: operationId }: Operation) => {
    const operation = outbox.read.byId(operationId)
    if (!operation) throw new Error('the operation is gone')
    return operation
  }
  /** Resolves once a condition holds for an operation. */
  const until = async (operation: Operation, holds: (one: Operation) => boolean) => {
    for (let look = 0; look < 2_400; look++) {
      if (holds(now(operation))) return now(operation)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`it stayed ${JSON.stringify(now(operation))}`)
  }
  const put = (payload: Payload) => {
    // Some cases of the practice store have an expired certificate: a person has permitted it.
    const because = payload.kind === 'blind-import' ? 'Seen on paper' : undefined
    const operation = must(outbox.enqueue(payload, { because }))
    sender.wake()
    return operation
  }
  /** Resolves once the operation is accepted, rejected or canceled. */
  const settled = (operation: Operation) =>
    until(operation, ({ state }) => !['queued', 'sending', 'unknown'].includes(state))

  return {
    knobs,
    outbox,
    sender,
    /** Both steps, as in a station. */
    sendNow() {
      askNow()
      sender.sendNow()
    },
    connection,
    reporting,
    client: v12,
    v15,
    seen,
    now,
    until,
    put,
    settled,
    do: async (payload: Payload) => settled(put(payload)),
    undo(operation: Operation) {
      const inverse = must(undo.undo(operation.id))
      sender.wake()
      return inverse
    },
    /** The service's items of a case, and the removed ones. */
    async members(caseId: CaseId) {
      const collection = await v15.collections.get(caseId)
      if (!collection.ok) throw new Error(JSON.stringify(collection.error))
      const ids = (items: { tag_id: TagId }[]) => items.map((item) => item.tag_id)
      return { items: ids(collection.value.items), removed: ids(collection.value.removed_items ?? []) }
    },
    /** The changes that reached the service, by the last parts of their paths. */
    async changes() {
      const all = await knobs.requests()
      return all.filter(({ path }) => /\/(add-items|remove|restore)\/$|caseids\/import\/$/.test(path))
    },
    async close() {
      await sender.stop(0)
      await http.close()
      await service.close()
      db.close()
    },
  }
}
