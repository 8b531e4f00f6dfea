import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OrderId } from '../../../../src-shared/ids'
import { Scan } from '../../../../src-shared/scan/meaning'
import { compose } from '../../../../src-main/app/compose'
import { fakeScanners } from '../../../fakes/hid-layer'
import { report, reports } from '../../../fakes/hid-reports'

it('a closing core sends nothing more, even while a scanner is slow to close', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-'))
  const scanners = fakeScanners()
  const { hid, usb } = scanners.layer
  scanners.plug()
  const { promise: letsGo, resolve: letGo } = Promise.withResolvers<undefined>()
  const openSlow = async (path: string) => {
    const connection = await hid.open(path)
    return Object.assign(connection, { close: () => letsGo })
  }
  const app = await compose({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../../../resources'),
    version: '0.0.0-test',
    scanners: { usb, hid: { devices: () => hid.devices(), open: openSlow } },
  })
  await expect.poll(() => scanners.open()).toHaveLength(1)
  const closed = app.close()
  try {
    const voided = await app.handlers['checkout.void']({
      orderId: OrderId.parse('10482'),
      approval: { reason: 'Test' },
    })
    expect(voided).toMatchObject({ ok: true, value: { state: 'queued', attempts: 0 } })
  } finally {
    letGo(undefined)
    await closed
    rmSync(dataDir, { recursive: true, force: true })
  }
})

it('a scan from a HID scanner passes through the core to the listeners, and closing releases the scanner', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-'))
  const scanners = fakeScanners()
  const device = scanners.plug()
  const app = await compose({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../../../resources'),
    version: '0.0.0-test',
    scanners: scanners.layer,
  })
  try {
    const scans: Scan[] = []
    app.events.listen((event, payload) => {
      if (event === 'scanner.scanned') scans.push(Scan.parse(payload))
    })
    // The core doesn't announce when a scanner is ready, so the test scans until a scan arrives.
    await expect
      .poll(() => {
        device.send(...reports(`https://tag.example/case/a6YvvLF5tXSydNkLnHDXG5?${'x'.repeat(60)}`))
        return scans.length
      })
      .toBeGreaterThan(0)
    device.send(report('4006381333931', { aim: ']E0' }))
    device.send(report('4006381333931', { aim: ']E0' }))
    expect(scans).toMatchObject([
      { seq: 1, source: 'hid', device: 'Honeywell Voyager 1450g', symbology: ']Q1', meaning: { kind: 'case' } },
      { seq: 2, symbology: ']E0', raw: '4006381333931' },
    ])
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  expect(scanners.open()).toEqual([])
  expect(scanners.watchers()).toBe(0)
})
