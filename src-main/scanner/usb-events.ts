import type { UsbEvents } from './layer'

/** The only file that loads usb: for the news that something was plugged in, nothing else. */
export function nodeUsbEvents(): UsbEvents {
  return {
    async watch(onChange) {
      const { usb } = await import('usb')
      // Where there is no USB bus this rejects, but listening there ends the process.
      await usb.getDevices()
      const listener = () => {
        onChange()
      }
      usb.addEventListener('connect', listener)
      usb.addEventListener('disconnect', listener)
      return () => {
        // They keep the process alive.
        usb.removeEventListener('connect', listener)
        usb.removeEventListener('disconnect', listener)
      }
    },
  }
}
