import type { HidLayer } from './layer'

/**
 * The only file that loads node-hid. Loading is left to the first use, and its native part loads at the first call: the
 * app starts on a machine without libusb, and the calls say what is missing.
 */
export function nodeHidLayer(): HidLayer {
  const load = () => import('node-hid')
  return {
    async devices() {
      return (await load()).devicesAsync()
    },
    async open(path) {
      // On macOS a scanner is shared with other programs; elsewhere the option changes nothing.
      return (await load()).HIDAsync.open(path, { nonExclusive: true })
    },
  }
}
