import type { Device, HIDAsync } from 'node-hid'

/**
 * The parts of node-hid and usb that are used, so that tests can replace them. This is the only file that loads the two
 * packages. The types are node-hid's own, so that an incompatible version doesn't compile.
 */

/** An open device. `error` is the only sign that it was unplugged; without a listener it ends the process. */
export interface HidConnection extends Pick<HIDAsync, 'close' | 'sendFeatureReport'> {
  on(event: 'data', listener: (report: Uint8Array) => void): unknown
  on(event: 'error', listener: (cause: unknown) => void): unknown
}

export interface HidLayer {
  /** All HID devices, keyboards included. Rejects with what node-hid throws. */
  devices(): Promise<Device[]>
  open(path: string): Promise<HidConnection>
}

interface UsbEvents {
  /**
   * Calls back whenever a device is plugged in or unplugged, until the returned function is called. Rejects where the
   * system doesn't report it.
   */
  watch(onChange: () => void): Promise<() => void>
}

export interface ScannerLayer {
  hid: HidLayer
  usb: UsbEvents
}

/**
 * node-hid is loaded at the first use, and its native part at the first call: the app starts without libusb, and the calls
 * fail instead.
 */
export function nodeHidLayer(): HidLayer {
  const load = () => import('node-hid')
  return {
    async devices() {
      return (await load()).devicesAsync()
    },
    async open(path) {
      // Shares the scanner with other programs on macOS; no effect elsewhere.
      return (await load()).HIDAsync.open(path, { nonExclusive: true })
    },
  }
}

/** usb is used only to hear that something was plugged in. */
export function nodeUsbEvents(): UsbEvents {
  return {
    async watch(onChange) {
      const { usb } = await import('usb')
      // Rejects without a USB bus, where adding a listener would end the process.
      await usb.getDevices()
      const listener = () => {
        onChange()
      }
      usb.addEventListener('connect', listener)
      usb.addEventListener('disconnect', listener)
      return () => {
        // The listeners keep the process alive.
        usb.removeEventListener('connect', listener)
        usb.removeEventListener('disconnect', listener)
      }
    },
  }
}
