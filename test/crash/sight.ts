import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../src-shared/ipc/client'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import type { JournalEntry, OperationView } from '../../src-shared/ipc/contract/outbox'
import { sha256Of } from '../../src-main/receiving/record/photo-files'
import { namesIn } from '../../src-main/database/files'
import type { RecordView, RecordedPhoto } from '../../src-shared/ipc/contract/record'
import type { CountSight, DeliverySight, PhotoFile, Sight } from './ledger'

/** The value of a call that must succeed: reading is always allowed. */
async function look<Name extends CallName>(
  client: Client,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const answer = await client.call(name, input)
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
  return answer.value
}

export const waiting = async (client: Client): Promise<OperationView[]> =>
  (await look(client, 'outbox.list', { show: 'waiting' })).operations

export const inNeed = async (client: Client): Promise<OperationView[]> =>
  (await look(client, 'outbox.list', { show: 'attention' })).operations

/**
 * Every operation that the station shows. The lists are read in the order in which operations move through them, so
 * that none is missed.
 */
export async function kept(client: Client): Promise<OperationView[]> {
  const all = [...(await waiting(client)), ...(await inNeed(client))]
  const over = (await look(client, 'outbox.list', { show: 'recent' })).operations
  return [...new Map([...all, ...over].map((one) => [one.id, one])).values()].sort((a, b) => a.seq - b.seq)
}

export async function sightOf(client: Client): Promise<Sight> {
  const cart = async (mode: 'sale' | 'return') => {
    const { orderId, lines } = await look(client, 'checkout.cart', { mode })
    return { orderId, tagIds: lines.flatMap((line) => line.items.map((item) => item.tagId)) }
  }
  return {
    operations: await kept(client),
    carts: { sale: await cart('sale'), return: await cart('return') },
    unsent: (await look(client, 'app.status', undefined)).unsent,
    counts: await countsOf(client),
    deliveries: await deliveriesOf(client),
  }
}

/** The shelf counts that were not given up. */
async function countsOf(client: Client): Promise<CountSight[]> {
  const open = await look(client, 'stock.open', undefined)
  const past = (await look(client, 'stock.history', { before: null })).counts
  const counts: CountSight[] = []
  for (const countId of new Set([...open, ...past].map(({ id }) => id))) {
    const { scope, ...count } = await look(client, 'stock.count', { countId })
    const { id, state, scanned, results, signature, revision } = count
    const recent = await look(client, 'stock.recent', { countId })
    const { differences } = await look(client, 'stock.differences', { countId, filter: {}, after: null })
    counts.push({
      ...{ id, state, scanned, results, signature, revision, isOfAll: scope.kind === 'all' },
      tagIds: recent.map(({ tagId }) => tagId),
      differences: differences.map(({ tagId, result, why, reason }) => ({ tagId, result, why, reason })),
    })
  }
  return counts
}

async function deliveriesOf(client: Client): Promise<DeliverySight[]> {
  const deliveries: DeliverySight[] = []
  for (const { id, finishedAt } of await look(client, 'receiving.deliveries', undefined)) {
    const last = await look(client, 'receiving.record', { deliveryId: id, version: null })
    const versions: DeliverySight['versions'] = []
    for (const { version, mark, check } of last.versions) {
      const record = await look(client, 'receiving.record', { deliveryId: id, version })
      const photos = (record.body?.photos ?? []).map((photo) => checked(record, photo))
      versions.push({ version, mark, check, photos })
    }
    const open = finishedAt === null ? await look(client, 'receiving.photos', undefined) : []
    deliveries.push({
      id,
      isFinished: finishedAt !== null,
      versions,
      corrections: last.corrections.map(({ body, check }) => ({
        ...{ text: body?.text ?? null, check },
        photo: body?.photo ? checked(last, body.photo) : null,
      })),
      photos: open.map((photo) => ({ photoId: photo.id, isRemoved: photo.removedAt !== null })),
    })
  }
  return deliveries
}

const checked = ({ photos }: RecordView, { id, sha256 }: Pick<RecordedPhoto, 'id' | 'sha256'>) => ({
  ...{ photoId: id, sha256 },
  check: photos[id] ?? ('missing' as const),
})

/** What is in the folder of photos, without asking the station. */
export const photoFilesIn = (folder: string): PhotoFile[] =>
  namesIn(folder).map((name) => ({ name, sha256: sha256Of(readFileSync(join(folder, name))) }))

const pin = '2468'

/** The person of the day signs in. What a kill left undone is done again; a person who was saved stays. */
export async function signIn(client: Client): Promise<void> {
  const person = { name: 'Kim', shortName: 'KI', role: 'counter' } as const
  const { people } = await look(client, 'people.view', undefined)
  const { id, hasPin } = people[0] ?? (await look(client, 'people.save', { id: null, person }))
  if (!hasPin) await look(client, 'people.setPin', { id, pin })
  for (;;) {
    const answer = await client.call('people.signIn', { shown: { shortName: person.shortName, pin } })
    if (answer.ok) return
    // A try counts as wrong until it was right: three kills in between make the next one wait.
    if (answer.error.code !== 'people/wrong-pin') throw new Error(`people.signIn: ${JSON.stringify(answer.error)}`)
    await pause(answer.error.waitMs)
  }
}

/** Throws if a line of the journal was changed or is missing. */
export async function checkJournal(client: Client): Promise<void> {
  const { faults } = await look(client, 'journal.verify', undefined)
  if (faults.length > 0) throw new Error(`the journal is no chain: ${JSON.stringify(faults)}`)
}

/** Every step of every operation, by its id. */
export async function journalOf(client: Client): Promise<Record<string, JournalEntry[]>> {
  const journal: Record<string, JournalEntry[]> = {}
  for (const { id } of await kept(client)) journal[id] = await look(client, 'outbox.journal', { operationId: id })
  return journal
}
