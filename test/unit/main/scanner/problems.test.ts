import { describe, expect, it } from 'vitest'
import { openingProblem, readingProblem, hasTrouble } from '../../../../src-main/scanner/problems'

// Error texts of hidapi on the three operating systems, as node-hid 3.4 passes them on.
const opening = 'cannot open device with path x: '

describe('why a scanner does not open', () => {
  it.each([
    ['scanner/no-permission', "Failed to open a device with path '/dev/hidraw0': Permission denied"],
    ['scanner/lost', "Failed to open a device with path '/dev/hidraw0': No such file or directory"],
    ['scanner/busy', "Failed to open a device with path '/dev/hidraw0': Device or resource busy"],
    [
      'scanner/cannot-open',
      "ioctl(GRDESCSIZE) error for '/dev/hidraw0', not a HIDRAW device?: Inappropriate ioctl for device",
    ],
    [
      'scanner/needs-macos-permission',
      'hid_open_path: failed to open IOHIDDevice from mach entry: (0xE00002E2) not permitted',
    ],
    ['scanner/busy', 'hid_open_path: failed to open IOHIDDevice from mach entry: (0xE00002C5) exclusive access'],
    ['scanner/lost', 'hid_open_path: device mach entry not found with the given path'],
    // Windows translates the rest.
    ['scanner/busy', 'open_device: (0x00000020) Der Prozess kann nicht auf die Datei zugreifen'],
    ['scanner/busy', 'open_device: (0x00000005) Acceso denegado.'],
    ['scanner/lost', 'open_device: (0x00000002) Das System kann die angegebene Datei nicht finden.'],
    ['scanner/cannot-open', 'open_device: (0x00000057) The parameter is incorrect.'],
    ['scanner/cannot-open', ''],
  ])('%s: %s', (problem, text) => {
    expect(openingProblem(new Error(opening + text))).toBe(problem)
    expect(openingProblem(opening + text)).toBe(problem)
  })

  it("is cannot-open if the thrown value isn't an error", () => {
    expect([undefined, null, 7, {}, { message: 'Permission denied' }].map(openingProblem)).toEqual(
      Array.from({ length: 5 }, () => 'scanner/cannot-open'),
    )
  })
})

describe('why a scanner can no longer be read', () => {
  it.each([
    ['scanner/lost', 'hid_read_timeout: unexpected poll error (device disconnected)'],
    ['scanner/lost', 'hid_read_timeout: device disconnected'],
    ['scanner/lost', 'hid_read_timeout/GetOverlappedResult: (0x0000048F) The device is not connected.'],
    ['scanner/busy', 'ReadFile: (0x00000005) Access is denied.'],
    ['scanner/lost', ''],
  ])('%s: %s', (problem, text) => {
    // node-hid's read errors are strings, not Error objects.
    expect(readingProblem(`could not read from HID device: ${text}`)).toBe(problem)
    expect(readingProblem(new Error(text))).toBe(problem)
  })
})

describe('trouble that a station tells its store', () => {
  it('is what a person has to mend, not that scanners are looked for at intervals', () => {
    const well = { problem: null }
    expect(hasTrouble({ problem: null, devices: [well] })).toBe(false)
    expect(hasTrouble({ problem: 'scanner/no-usb', devices: [well] })).toBe(false)
    expect(hasTrouble({ problem: 'scanner/missing-library', devices: [] })).toBe(true)
    expect(hasTrouble({ problem: 'scanner/no-usb', devices: [well, { problem: 'scanner/busy' }] })).toBe(true)
  })
})
