import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ScannersView } from '../../../../src-shared/ipc/contract/scanner'
import { systemClock } from '../../../../src-main/core/clock'
import { silentLog } from '../../../../src-main/core/log'
import { ScannerSource } from '../../../../src-main/scanner/hid'
import { nodeHidLayer, nodeUsbEvents } from '../../../../src-main/scanner/layer'

/** The real library of this machine, loaded directly, without our layer. */
const hasLibrary = await import('node-hid')
  .then(({ devicesAsync }) => devicesAsync())
  .then(() => true)
  .catch(() => false)
/** If the library was installed for the tests, its test must not be skipped. */
const mustHaveLibrary = process.env.COUNTERTAG_LIBUSB === 'required'
const hasBus = process.platform !== 'linux' || existsSync('/sys/bus/usb/devices')

/** The first view of a real source that satisfies `isEnough`. */
function firstView(isEnough: (view: ScannersView) => boolean): Promise<ScannersView> {
  return new Promise((resolve) => {
    const source = new ScannerSource({
      layer: { hid: nodeHidLayer(), usb: nodeUsbEvents() },
      clock: systemClock,
      log: silentLog,
      onScan: () => undefined,
      onChange(view) {
        if (isEnough(view)) void source.stop().then(() => resolve(view))
      },
    })
    source.start()
  })
}

describe('the real node-hid', () => {
  it.skipIf(hasLibrary)('without libusb: the app continues and reports what is missing', async () => {
    await expect(nodeHidLayer().devices()).rejects.toMatchObject({ code: 'ERR_DLOPEN_FAILED' })
    await expect(nodeHidLayer().open('/dev/hidraw0')).rejects.toMatchObject({ code: 'ERR_DLOPEN_FAILED' })
    expect(await firstView(({ problem }) => problem === 'scanner/missing-library')).toEqual({
      library: 'missing',
      problem: 'scanner/missing-library',
      devices: [],
    })
  })

  it.skipIf(!hasLibrary && !mustHaveLibrary)(
    'with libusb: lists devices, and refuses to open a missing one',
    async () => {
      expect(await nodeHidLayer().devices()).toBeInstanceOf(Array)
      await expect(nodeHidLayer().open('/dev/no-such-scanner')).rejects.toBeInstanceOf(Error)
    },
  )
})

describe('the real usb', () => {
  it.skipIf(hasBus)('without a bus: reports it instead of ending the process', async () => {
    await expect(nodeUsbEvents().watch(() => undefined)).rejects.toBeInstanceOf(Error)
  })

  it.skipIf(!hasBus)('with a bus: can be watched and released', async () => {
    const stop = await nodeUsbEvents().watch(() => undefined)
    stop()
  })
})
