import { describe, expect, it } from 'vitest'
import { type AppStatus, Locale, type SalvageReport, Warning } from '../../../src-shared/ipc/contract/app'
import { createClient } from '../../../src-shared/ipc/client'
import { language, say } from '../../../src-renderer/text/text.svelte'
import { clockText } from '../../../src-renderer/settings/profiles/profiles.svelte'
import { warningText } from '../../../src-renderer/warnings/warnings.svelte'
import { Warnings } from '../../../src-renderer/warnings/warnings.svelte'
import { appStatus, at } from './examples'
import { createFakeWire } from './fake-wire'

const minute = 60_000

const words = (warning: Warning, fields: Partial<AppStatus> = {}) => {
  const text = warningText(warning, appStatus(fields), Date.parse('2026-11-13T03:02:11Z'))
  return { short: say(text.short), title: say(text.title), means: text.means.map(say).join(' '), tone: text.tone }
}

const salvaged = (fields: Partial<SalvageReport> = {}) =>
  words('data-salvaged', {
    store: {
      lastBackupAt: null,
      salvage: {
        ...{ at, isDamaged: true, setAside: 'countertag.db.damaged-1', operations: 12, fromBackup: 3, lost: 0 },
        ...fields,
      },
    },
  })

describe('a warning', () => {
  it('about the clock says how far it is off and in which direction', () => {
    expect(words('clock-off', { clockOffset: 7 * minute })).toEqual({
      tone: 'attention',
      short: 'Clock 7 min behind',
      title: 'This computer’s clock is 7 minutes behind the service’s.',
      means: 'Sale times are corrected. Set the clock.',
    })
    expect(words('clock-off', { clockOffset: -180 * minute }).title).toBe(
      'This computer’s clock is 3 hours ahead of the service’s.',
    )
    language.locale = 'es'
    expect(words('clock-off', { clockOffset: 7 * minute }).title).toBe(
      'El reloj de esta computadora está atrasado 7 minutos respecto al del servicio.',
    )
  })

  it('about unsent reports gives their number or how long the oldest waits, and says that selling goes on', () => {
    expect(words('unsent-many', { unsent: 1_240 })).toMatchObject({
      short: 'Many unsent',
      title: '1,240 reports are waiting to be sent.',
    })
    expect(words('unsent-many', { unsent: 1 }).title).toBe('1 report is waiting to be sent.')
    const old = words('unsent-old', { unsent: 1, oldestUnsentAt: at })
    expect(old.short).toBe('Unsent for 13 h')
    expect(old.title).toMatch(/^A report has not been sent since (Nov 12, )?\d/)
    expect(old.means).toContain('you can keep selling')
  })

  it('about an old report can be formatted even if that report was just sent', () => {
    expect(words('unsent-old').title).toMatch(/^A report has not been sent since /)
  })

  it('about a clock that shows what can’t be doesn’t compare it', () => {
    expect(words('clock-impossible', { clockOffset: 1_790_000_000_000 })).toEqual({
      tone: 'attention',
      short: 'Clock is wrong',
      title: 'This computer’s clock is wrong: the date it shows can’t be right.',
      means: 'You can keep selling. Reports get their time once the service answers. Set the clock.',
    })
    const status = appStatus({ clockOffset: 1_790_000_000_000, warnings: ['clock-impossible'] })
    expect(say(clockText(status).text)).toBe('This computer’s clock is wrong: the date it shows can’t be right.')
  })

  it('about missing data names at least how many reports, and the folder to put back', () => {
    const loss = { kind: 'gone', folder: '/data/shop', notedAt: at, missing: 12, unsent: 3 } as const
    const none = { isDamaged: false, setAside: '', fromBackup: 0 }
    const gone = salvaged({ ...none, loss })
    expect(gone).toMatchObject({ tone: 'bad', short: 'Data is missing', title: 'The data of this connection is gone.' })
    expect(gone.means).toContain('At least 12 reports are missing. 3 reports were unsent when this was last noted')
    expect(gone.means).toContain('If the folder /data/shop was moved')
    const older = salvaged({ isDamaged: false, loss: { ...loss, kind: 'older', missing: 0 } })
    expect(older.title).toBe('The data of this connection was an older copy.')
    expect(older.means).toBe(
      'No report that was noted is missing. 3 reports were unsent when this was last noted (Nov 12, 2026, 2:02 PM). ' +
        '3 reports were added from the newest backup. Unsent reports are checked before they are sent again. ' +
        'The copy was set aside as countertag.db.damaged-1.',
    )
    const unknown = { ...loss, notedAt: null, missing: null, unsent: null }
    expect(salvaged({ ...none, loss: unknown }).means).toContain('It isn’t known how many reports it held')
    expect(salvaged({ loss }).means).toContain('At least 12 reports are missing')
  })

  it('about damaged data names the file, the figures and what was done', () => {
    const { tone, means } = salvaged()
    expect(tone).toBe('bad')
    expect(means).toContain('set aside as countertag.db.damaged-1')
    expect(means).toContain('12 reports were recovered. 3 of them were only in the last backup. None was lost.')
    expect(means).toContain('Unsent reports are checked before they are sent again')
  })

  it('about damaged data says whether reports are lost, or that it is unknown', () => {
    expect(salvaged({ lost: 2 }).means).toContain('2 reports are lost')
    expect(salvaged({ lost: 1 }).means).toContain('1 report is lost')
    expect(salvaged({ lost: null }).means).toContain('isn’t known')
    const nothing = salvaged({ operations: 0, fromBackup: 0, lost: null }).means
    expect(nothing).toContain('No report could be recovered.')
    expect(nothing).not.toContain('backup')
  })

  it('about backups names the last good one, or says that there is none', () => {
    expect(words('backup-failing', { store: { lastBackupAt: at, salvage: null } }).means).toContain('Nov 12, 2026')
    expect(words('backup-failing').means).toContain('No good backup yet.')
  })

  it('about the service’s clock matches the text in Settings', () => {
    expect(words('service-clock-wrong').means).toContain('Sale times come from this computer’s clock')
    const { tone, text } = clockText(appStatus({ warnings: ['service-clock-wrong'] }))
    expect([tone, say(text)]).toEqual(['attention', 'Can’t be compared: the service’s clock is wrong.'])
  })

  it('has a few words for the bar, in both languages', () => {
    for (const locale of Locale.options) {
      language.locale = locale
      for (const warning of Warning.options) {
        const { short } = words(warning, { unsent: 12_345, clockOffset: 47 * 60 * minute, oldestUnsentAt: at })
        expect(short.length, short).toBeLessThanOrEqual(30)
      }
    }
  })
})

describe('acknowledging a salvage', () => {
  it('tells main once, however often the button is pressed', async () => {
    const fake = createFakeWire()
    const warnings = new Warnings(createClient(fake.wire))
    void warnings.acknowledgeSalvage()
    void warnings.acknowledgeSalvage()
    expect(fake.asked).toHaveLength(1)
    await fake.next('store.acknowledgeSalvage').answer(null)
    expect([warnings.noting.isBusy, warnings.noting.error]).toEqual([false, null])
  })

  it('shows a failure, and can be tried again', async () => {
    const fake = createFakeWire()
    const warnings = new Warnings(createClient(fake.wire))
    void warnings.acknowledgeSalvage()
    await fake.next('store.acknowledgeSalvage').refuse({ code: 'store/not-saved' })
    expect(warnings.noting.error?.code).toBe('store/not-saved')
    void warnings.acknowledgeSalvage()
    await fake.next('store.acknowledgeSalvage').answer(null)
    expect(warnings.noting.error).toBeNull()
  })
})

describe('the clock in Settings', () => {
  const said = (fields: Partial<AppStatus>) => {
    const { tone, text } = clockText(appStatus(fields))
    return [tone, say(text)]
  }

  it('is shown as right, not compared, or off by how much', () => {
    expect(said({})).toEqual([null, 'Correct, compared with the service'])
    expect(said({ connection: { state: 'unknown', since: at } })[1]).toMatch(/^Not compared yet/)
    expect(said({ clockOffset: 40_000 })).toEqual([null, '40 seconds behind the service'])
    expect(said({ clockOffset: -7 * minute, warnings: ['clock-off'] })).toEqual([
      'attention',
      '7 minutes ahead of the service',
    ])
  })
})
