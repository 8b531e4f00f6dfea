import type { Client } from '../../src-shared/ipc/client'
import type { AppStatus, DataLoss, SalvageReport, Warning } from '../../src-shared/ipc/contract/app'
import { assertNever } from '../../src-shared/result'
import { Ask } from '../ui/ask.svelte'
import type { Text } from '../text/text.svelte'
import { moment, shortSpan, since, span } from '../text/moments'

/** The warnings drawer, and its one action: to acknowledge a salvage. The warnings themselves are in the status. */
export class Warnings {
  isOpen = $state(false)
  readonly noting = new Ask<unknown>()
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** A person has read what became of the damaged database. Main then takes the warning out of the status. */
  async acknowledgeSalvage(): Promise<void> {
    if (this.noting.isBusy) return
    await this.noting.ask(() => this.#client.call('store.acknowledgeSalvage', undefined))
  }
}

/** A warning in words: a few for the bar, a sentence for the list, and what it means. */
interface WarningText {
  tone: 'attention' | 'bad'
  short: Text
  title: Text
  means: Text[]
}

/** The words of a warning for the status now. `now`: ms since the epoch. */
export function warningText(warning: Warning, status: AppStatus, now = Date.now()): WarningText {
  switch (warning) {
    case 'unsent-many':
      return attention(warning, { count: status.unsent }, [{ key: 'warning.unsent-many.means' }])
    case 'unsent-old': {
      // The last report was sent after the warning was given: it waited until now.
      const oldest = status.oldestUnsentAt === null ? now : Date.parse(status.oldestUnsentAt)
      const values = { since: since(oldest, now), span: shortSpan(now - oldest) }
      return attention(warning, values, [{ key: 'warning.unsent-old.means' }])
    }
    case 'clock-off':
      return clockOff(status.clockOffset)
    case 'data-salvaged': {
      const { salvage } = status.store
      if (salvage?.loss && !salvage.isDamaged) return dataMissing(salvage, salvage.loss)
      return {
        tone: 'bad',
        short: { key: 'warning.data-salvaged.short' },
        title: { key: 'warning.data-salvaged.title' },
        means: salvage ? salvageTexts(salvage) : [],
      }
    }
    case 'backup-failing':
      return attention(warning, {}, [lastBackup(status), { key: 'warning.backup-failing.means' }])
    case 'report-slow':
    case 'sending-stuck':
    case 'no-token':
    case 'clock-impossible':
    case 'service-clock-wrong':
    case 'dispensary-not-set':
      return attention(warning, {}, [{ key: `warning.${warning}.means` }])
    default:
      return assertNever(warning)
  }
}

const attention = (
  warning: Exclude<Warning, 'clock-off' | 'data-salvaged'>,
  values: NonNullable<Text['values']>,
  means: Text[],
): WarningText => ({
  tone: 'attention',
  short: { key: `warning.${warning}.short`, values },
  title: { key: `warning.${warning}.title`, values },
  means,
})

/** `offset`: the service's clock minus the station's, in ms. */
function clockOff(offset: number): WarningText {
  const direction = offset > 0 ? 'behind' : 'ahead'
  return {
    tone: 'attention',
    short: { key: 'warning.clock-off.short', values: { direction, span: shortSpan(offset) } },
    title: { key: 'warning.clock-off.title', values: { direction, span: span(offset) } },
    means: [{ key: 'warning.clock-off.means' }],
  }
}

function lastBackup({ store }: AppStatus): Text {
  if (store.lastBackupAt === null) return { key: 'warning.backup-failing.none' }
  return { key: 'warning.backup-failing.last', values: { at: moment(store.lastBackupAt) } }
}

function dataMissing({ setAside, fromBackup }: SalvageReport, loss: DataLoss): WarningText {
  const means = lossTexts(loss)
  if (fromBackup > 0) means.push({ key: 'warning.data-missing.from-backup', values: { count: fromBackup } })
  if (setAside !== '') {
    means.push(
      { key: 'warning.data-salvaged.means' },
      { key: 'warning.data-missing.aside', values: { file: setAside } },
    )
  }
  if (loss.missing !== 0) means.push({ key: 'warning.data-missing.next', values: { folder: loss.folder } })
  return {
    tone: 'bad',
    short: { key: 'warning.data-missing.short' },
    title: { key: `warning.data-missing.title.${loss.kind}` },
    means,
  }
}

function lossTexts({ notedAt, missing, unsent }: DataLoss): Text[] {
  if (notedAt === null || missing === null || unsent === null) return [{ key: 'warning.data-missing.unknown' }]
  return [{ key: 'warning.data-missing.what', values: { at: moment(notedAt), count: missing, unsent } }]
}

function salvageTexts({ at, setAside, operations, fromBackup, lost, loss }: SalvageReport): Text[] {
  return [
    { key: 'warning.data-salvaged.what', values: { at: new Date(at), file: setAside } },
    { key: 'warning.data-salvaged.saved', values: { count: operations } },
    ...(fromBackup > 0
      ? [{ key: 'warning.data-salvaged.from-backup', values: { count: fromBackup } } satisfies Text]
      : []),
    lost === null
      ? { key: 'warning.data-salvaged.lost-unknown' }
      : { key: 'warning.data-salvaged.lost', values: { count: lost } },
    ...(loss ? lossTexts(loss) : []),
    { key: 'warning.data-salvaged.means' },
  ]
}
