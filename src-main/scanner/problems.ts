import type { ScannerProblem } from '../../src-shared/ipc/contract/scanner'

/**
 * What errors of node-hid mean. They are texts of the system (read errors are plain strings), so they are recognized by the
 * parts that don't depend on its language.
 */

/** Remedies for the log, in English; screens have their own texts. */
export const remedies: Record<ScannerProblem, string> = {
  'scanner/missing-library':
    'node-hid could not load. On Debian and Ubuntu install the package libusb-1.0-0 (Fedora: libusb1); ' +
    'the app looks again by itself. A scanner in keyboard mode works without it.',
  'scanner/no-usb': 'The system does not report USB devices. Scanners are looked for every few seconds instead.',
  'scanner/cannot-list': 'The system did not list its devices. If it stays so, restart the app.',
  'scanner/no-permission':
    'Plug the scanner in again: the .deb package brings /usr/lib/udev/rules.d/70-countertag-scanners.rules. Without it, ' +
    'save the rule that Settings > Scanners shows as /etc/udev/rules.d/70-countertag-scanners.rules, run ' +
    '"udevadm control --reload", and plug the scanner in again.',
  'scanner/needs-macos-permission':
    'Allow Countertag in System Settings > Privacy & Security > Input Monitoring, then quit and reopen Countertag.',
  'scanner/busy': 'Another program holds the scanner: close it. The app tries again by itself.',
  'scanner/out-of-files': 'Too many files are open: close programs. The app tries again by itself.',
  'scanner/cannot-open': 'Plug the scanner in again, into another socket if need be.',
  'scanner/lost': 'The scanner was unplugged or lost its power: plug it in again.',
  'scanner/unreadable': 'The scanner sends something else than HID POS reports: scan its setup code for "USB HID POS".',
  'scanner/scan-incomplete': 'The end of the code did not arrive: scan it again.',
  'scanner/scan-too-long': 'No code is that long: scan it again. If it stays so, plug the scanner in again.',
}

/** Why a device did not open. */
export function openingProblem(cause: unknown): ScannerProblem {
  const text = textOf(cause)
  if (/0xE00002E2/i.test(text)) return 'scanner/needs-macos-permission'
  if (isHeld(text)) return 'scanner/busy'
  if (/permission denied|operation not permitted/i.test(text)) return 'scanner/no-permission'
  if (/too many open files/i.test(text)) return 'scanner/out-of-files'
  if (isGone(text)) return 'scanner/lost'
  return 'scanner/cannot-open'
}

/** Why reading a device failed. Unplugging, the usual reason, has a different text on each system. */
export function readingProblem(cause: unknown): ScannerProblem {
  return isHeld(textOf(cause)) ? 'scanner/busy' : 'scanner/lost'
}

/**
 * macOS: exclusive access; Linux: EBUSY; Windows: sharing violation, and access denied when reading a device that another
 * program holds.
 */
const isHeld = (text: string) => /0xE00002C5|resource busy|\(0x000000(20|05)\)/i.test(text)

const isGone = (text: string) =>
  /no such (file|device)|mach entry not found|0xE00002C0|disconnected|\(0x0000(0002|0037|048F)\)/i.test(text)

function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause
  if (!(cause instanceof Error)) return ''
  return `${'code' in cause && typeof cause.code === 'string' ? cause.code : ''} ${cause.message}`
}

/**
 * Whether a person has to do something about scanners. Without news of USB devices scanners are found at intervals: Settings says
 * "Nothing to do", so the store isn't told of a problem either.
 */
export const hasTrouble = ({ problem, devices }: ScannerTroubles): boolean =>
  (problem !== null && problem !== 'scanner/no-usb') || devices.some((one) => one.problem !== null)

interface ScannerTroubles {
  problem: ScannerProblem | null
  devices: readonly { problem: ScannerProblem | null }[]
}
