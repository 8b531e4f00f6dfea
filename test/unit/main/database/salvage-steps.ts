import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { silentLog } from '../../../../src-main/core/log'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import { createBackup } from '../../../../src-main/database/backup'
import type { Store } from '../../../../src-main/database/open'
import { eventsOf } from '../../../fakes/events'
import type { Shop } from './shop'

/** Makes a backup, and advances the clock by an hour. */
export async function backUp(shop: Shop, store: Store): Promise<void> {
  const context = { db: store.db, events: eventsOf(store.db), clock: shop.clock, log: silentLog }
  const backup = createBackup(context, join(shop.folder, 'backups'))
  await backup.make()
  expect(backup.view()).toEqual({ lastAt: shop.clock.now(), isFailing: false })
  shop.clock.advance(3_600_000)
}

/** Replaces the file with a text, so that nothing in it can be read. */
export function destroy(shop: Shop): void {
  for (const suffix of ['', '-wal']) rmSync(shop.file + suffix, { force: true })
  writeFileSync(shop.file, 'x'.repeat(10_000))
}

/** Overwrites pages, numbered from 1. */
export function breakPages(file: string, ...numbers: number[]): void {
  const bytes = readFileSync(file)
  for (const number of numbers) bytes.fill(0x5a, (number - 1) * 4_096, number * 4_096)
  writeFileSync(file, bytes)
}

export const breakFirstPage = (shop: Shop) => {
  breakPages(shop.file, 1)
}

export const rowsOf = (store: Store, sql: string) => store.db.prepare(sql).pluck().all()

/** Settles the next claimed operation as accepted. */
export function accept(outbox: Outbox) {
  const next = outbox.claim()
  if (next) outbox.settle(next.seq, { kind: 'accepted', note: null })
  return next
}

/** Settles the next claimed operation as refused. */
export function refuse(outbox: Outbox): void {
  const next = outbox.claim()
  if (next) outbox.settle(next.seq, { kind: 'rejected', reason: { code: 'service/items-missing' } })
}
