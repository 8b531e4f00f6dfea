import { Locale } from '../../src-shared/ipc/app-view'
import { createLimits } from '../outbox/views'
import type { Sender } from '../outbox/sender'
import type { Outbox } from '../outbox/outbox'
import { createRetention } from '../privacy/retention'
import { createStatusBoard } from '../status'
import { createBackup } from '../store/backup'
import { backupFolder } from '../store/quarantine'
import { createWatch } from '../watch'
import type { Ground } from './ground'
import type { Network } from './network'

interface UpkeepParts {
  network: Network
  outbox: Outbox
  sender: Pick<Sender, 'longestOnWireMs'>
  version: string
}

/** What looks after the station: its copies, what is kept for how long, and what the bar says of it all. */
export function joinUpkeep(ground: Ground, { network, outbox, sender, version }: UpkeepParts) {
  const { databaseFile, store, db, settings, events, profile, clock, log } = ground
  const backup = createBackup({
    db,
    folder: backupFolder(databaseFile),
    clock,
    log,
    onChange: () => status.changed(),
    onDamage: () => {
      store.distrust()
    },
  })
  const retention = createRetention({ db, clock, log })
  const limits = createLimits({ settings, clock })
  const status = createStatusBoard({
    profile,
    version,
    connection: () => network.connection.view(),
    counts: () => outbox.read.counts(),
    limits,
    serviceClock: network.serviceClock,
    locale: () => settings.read('locale', Locale) ?? 'en',
    backup: () => backup.view(),
    salvage: () => store.salvage(),
    watch: createWatch({ sender, tokens: network.tokens, serviceClock: network.serviceClock, clock }),
    announce: (view) => events.emit('app.status', view),
    log,
  })
  return { backup, retention, limits, status }
}
