import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { expectAccessible, isScrollable, violations } from './axe'
import { type Doctor, doctorWire } from './doctored'
import { Counter, codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere
const Fields = z.record(z.string(), z.unknown())

test(
  'warns at the limit that a person set, blocks no sale, and clears the warning when everything is sent',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.settings('Rules')
    await counter.field('Warn at this many').fill('1')
    await counter.button('Save limits').click()
    await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

    await station.knobs.setFaults({ offline: true })
    await counter.go('Checkout')
    await counter.sell('1', [a])
    const chip = counter.button('Many unsent')
    await expect(chip).toBeVisible()
    await chip.click()
    const drawer = page.getByRole('complementary', { name: 'Warnings' })
    await expect(drawer.getByText('1 report is waiting to be sent.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()

    await counter.sell('2', [b])
    await expect(page.getByText('2 to send')).toBeVisible()
    await chip.click()
    await expect(drawer.getByText('2 reports are waiting to be sent.')).toBeVisible()
    await drawer.getByRole('button', { name: 'Open Outbox' }).click()
    await expect(page.getByRole('heading', { name: '2 waiting' })).toBeVisible()
    await station.knobs.setFaults({})
    await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })
    await expect(chip).toBeHidden()
  },
)

test(
  'refuses invalid limits beside the field, and keeps valid ones after a reload',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('Rules')
    const count = counter.field('Warn at this many')
    const hours = counter.field('Warn when one is this many hours old')
    await expect(count).toHaveValue('500')
    await expect(hours).toHaveValue('12')
    const bad = [
      ['0', 'Use a number from 1 to 100,000.'],
      ['-1', 'Use a number from 1 to 100,000.'],
      ['1000000000', 'Use a number from 1 to 100,000.'],
      ['1e9', 'Use a whole number, digits only.'],
      ['a lot', 'Use a whole number, digits only.'],
      ['', 'Enter a number.'],
    ] as const
    for (const [text, why] of bad) {
      await count.fill(text)
      await counter.button('Save limits').click()
      await expect(count).toHaveAccessibleDescription(why)
      await expect(count).toHaveAttribute('aria-invalid', 'true')
      await expect(count).toBeFocused()
      await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeHidden()
    }
    expect(await violations(page)).toEqual([])

    await count.fill('40')
    await hours.fill('721')
    await page.keyboard.press('Control+Enter')
    await expect(hours).toHaveAccessibleDescription('Use a number from 1 to 720.')
    await hours.fill('24')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
    await page.reload()
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.settings('Rules')
    await expect(count).toHaveValue('40')
    await expect(hours).toHaveValue('24')
  },
)

/** The status after a damaged database and a failed backup, with 1,240 operations in the outbox. */
const badDay: Doctor = (name, said) => {
  if (name === 'app.status') {
    return {
      ...Fields.parse(said),
      unsent: 1_240,
      attention: 12,
      connection: { state: 'credentials-refused', since: '2026-11-12T10:00:00Z' },
      oldestUnsentAt: '2026-11-11T09:20:00Z',
      clockOffset: -9 * 3_600_000,
      warnings: [
        'data-salvaged',
        'sending-stuck',
        'no-token',
        'service-clock-wrong',
        'unsent-many',
        'unsent-old',
        'clock-off',
        'backup-failing',
      ],
      store: {
        lastBackupAt: '2026-11-10T08:00:00Z',
        salvage: {
          at: '2026-11-12T10:00:00Z',
          setAside: 'countertag.db.damaged-2026-11-12T10-00-00',
          operations: 1_242,
          fromBackup: 3,
          lost: null,
        },
      },
    }
  }
  if (name === 'outbox.list') return { ...Fields.parse(said), total: 1_240 }
  return said
}

test(
  'shows all warnings at once without covering the work, damaged data first, light and dark',
  { tag: '@long' },
  async ({ page, station }) => {
    await doctorWire(page, badDay)
    await page.goto(station.url)
    const counter = new Counter(page)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.go('Checkout')
    await counter.sell('1', [a])
    await expect(page.getByText('Order 1 reported, 1 item')).toBeVisible()

    await counter.go('Outbox')
    const main = page.getByRole('main')
    await expect(main.getByText('The data on this computer was damaged.')).toBeVisible()
    await expect(main.getByText('countertag.db.damaged-2026-11-12T10-00-00')).toBeVisible()
    await expect(main.getByText('1,242 reports were recovered.')).toBeVisible()
    await expect(main.getByText('Unsent reports are checked before they are sent again.')).toBeVisible()
    await expect(main.getByText('Newest 1 of 1,240').last()).toBeVisible()
    await expectAccessible(page, 'outbox')
    expect(await isScrollable(page), 'outbox').toBe(false)

    const header = page.getByRole('banner')
    const name = header.getByRole('button', { name: 'Data was damaged and 7 more' })
    await name.click()
    const drawer = page.getByRole('complementary', { name: 'Warnings' })
    await expect(drawer.getByRole('note')).toHaveCount(8)
    await expectAccessible(page, 'drawer')
    for (const button of await header.getByRole('button').all()) {
      const box = await button.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), await button.innerText()).toBeGreaterThanOrEqual(44)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1024)
    }

    await counter.settings('Data and help')
    await expect(main.getByText(/Nov 10, 2026/)).toBeVisible()
    await expectAccessible(page, 'settings')
    expect(await isScrollable(page), 'settings').toBe(false)
  },
)

test(
  'says after a disk fault what happened to the data, until a person acknowledges it, and continues selling',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await station.knobs.setFaults({ offline: true })
    await counter.sell('1', [a])
    await expect(page.getByText('1 to send')).toBeVisible()
    await station.kill()
    // The last writes are lost from the disk.
    truncateSync(join(station.dataDir, 'practice', 'countertag.db-wal'))

    await page.goto(await station.start())
    const chip = counter.button(/^Data was damaged/)
    await expect(chip).toBeVisible()
    await counter.go('Outbox')
    const notice = page
      .getByRole('main')
      .getByRole('note')
      .filter({ hasText: 'The data on this computer was damaged.' })
    await expect(notice).toContainText(/set aside as countertag\.db\.damaged/)
    expect(await violations(page)).toEqual([])
    await counter.go('Checkout')
    await counter.sell('2', [b])
    await expect(page.getByText('Order 2 reported, 1 item')).toBeVisible()

    await counter.go('Outbox')
    await counter.button('Got it').click()
    await expect(notice).toBeHidden()
    await expect(chip).toBeHidden()
    await station.kill()
    await page.goto(await station.start())
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await expect(chip).toBeHidden()
  },
)
