import type { Device, HIDAsync } from 'node-hid'

/**
 * What we use of node-hid and of usb, so that tests can put something else in their place. The types are node-hid's own:
 * a change there does not compile here.
 */

/** An open device. `error` is the only sign of an unplugged one; without a listener it ends the process. */
export interface HidConnection extends Pick<HIDAsync, 'close' | 'sendFeatureReport'> {
  on(event: 'data', listener: (report: Uint8Array) => void): unknown
  on(event: 'error', listener: (cause: unknown) => void): unknown
}

export interface HidLayer {
  /** Every HID device there is, keyboards included. Rejects with whatever node-hid throws. */
  devices(): Promise<Device[]>
  open(path: string): Promise<HidConnection>
}

export interface UsbEvents {
  /**
   * Calls back whenever something is plugged in or pulled out, until the function it resolves with is called.
   * Rejects where nobody tells.
   */
  watch(onChange: () => void): Promise<() => void>
}

export interface ScannerLayer {
  hid: HidLayer
  usb: UsbEvents
}
