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
import type { Surroundings } from './surroundings'

/** Maintenance of the station: backups, data retention, customers' data, and the status bar. */
export function createUpkeep(
  context: CoreContext,
  { serviceClock, connection, tokens }: Network,
  { outbox, sender, limits }: OutboxParts,
  { version, policyPeople }: Pick<Surroundings, 'version' | 'policyPeople'>,
) {
  const { databaseFile, store, db, settings, seal, pastClock, log } = context
  const backup = createBackup(context, backupFolder(databaseFile), {
    pastClock,
    onDamage: () => {
      store.distrust()
    },
  })
  const retention = new Retention({ db, clock: pastClock, log, days: policyPeople?.journalDays })
  const status = createStatusBoard({
    ...{ ...context, serviceClock, connection, tokens, outbox, sender, limits },
    ...{ backup, version },
  })
  const customers = createCustomers(context, seal)
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
