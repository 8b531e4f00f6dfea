import { err, ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import { hasNoFilesLeft } from '../core/open-files'
import { createCustomers } from '../privacy/customers'
import { Retention } from '../privacy/retention'
import { createStatusBoard } from './status'
import { createBackup } from '../database/backup'
import { backupFolder } from '../database/quarantine'
import { saved } from '../database/saved'
import type { CoreContext } from './context'
import type { Network } from './network'
import type { OutboxParts } from './outbox'

/** Maintenance of the station: backups, data retention, customers' data, and the status bar. */
export function createUpkeep(context: CoreContext, network: Network, sending: OutboxParts, version: string) {
  const { databaseFile, store, db, settings, seal, clock, pastClock, log } = context
  const backup = createBackup(context, backupFolder(databaseFile), {
    pastClock,
    onDamage: () => {
      store.distrust()
    },
  })
  const retention = new Retention({ db, clock: pastClock, log })
  const status = createStatusBoard({ ...context, ...network, ...sending, backup, version })
  const customers = createCustomers({ db, clock, seal })
  const changed = (change: () => void) =>
    saved(() => {
      change()
      status.changed()
      return ok(null)
    })

  const handlers: HandlersOf<'app' | 'store' | 'customer'> = {
    'app.status': () => ok(status.view()),
    'app.setLocale': ({ locale }) =>
      changed(() => {
        settings.write('locale', locale)
      }),
    'store.acknowledgeSalvage': () => changed(store.acknowledgeSalvage),
    'store.backUp': async () => {
      const outcome = await backup.makeNow()
      if (outcome !== 'failed') return ok({ isNew: outcome === 'made' })
      return err({ code: hasNoFilesLeft() ? 'store/out-of-files' : 'store/no-backup' })
    },
    'customer.export': ({ customerId }) => customers.export(customerId),
    'customer.erase': ({ customerId }) => customers.erase(customerId),
  }
  return { backup, retention, status, handlers }
}
