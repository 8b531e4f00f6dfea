import { z } from 'zod'
import { ScanPrefixes } from '../scan/known'
import { WedgeSettings } from '../scan/timing'

/** Everything that can be wrong with scanners. What to do about each: `src-main/scanner/problems.ts`. */
export const ScannerProblem = z.enum([
  // With looking for scanners
  /** node-hid can't load what it needs, on Linux libusb: no scanner can be used but those that type. */
  'scanner/missing-library',
  /** Nobody tells when something is plugged in (a virtual machine): scanners are found by looking now and then. */
  'scanner/no-usb',
  'scanner/cannot-list',

  // With one scanner, which can't be used until this is mended
  'scanner/no-permission',
  'scanner/needs-macos-permission',
  /** Another program holds it. */
  'scanner/busy',
  'scanner/cannot-open',
  /** Unplugged, out of reach, or broken. */
  'scanner/lost',

  // With the last scan of a scanner that works: the next good scan clears it
  'scanner/unreadable',
  'scanner/scan-incomplete',
  'scanner/scan-too-long',
])
export type ScannerProblem = z.infer<typeof ScannerProblem>

/** One scanner. `id` stays the same when it is unplugged and comes back, until the app ends. */
export const ScannerView = z.object({
  id: z.string(),
  /** Manufacturer and product, as the scanner gives them. */
  name: z.string(),
  source: z.literal('hid'),
  /** A scanner that is `ready` may still have a problem: with its last scan. */
  state: z.enum(['ready', 'opening', 'failed']),
  problem: ScannerProblem.nullable(),
  /** ISO 8601. */
  lastScanAt: z.iso.datetime({ offset: true }).nullable(),
  scans: z.number().int().nonnegative(),
})
export type ScannerView = z.infer<typeof ScannerView>

/** All scanners that are read by us (those that type are keyboards, and nobody sees them as scanners). */
export const ScannersView = z.object({
  library: z.enum(['ok', 'missing', 'no-usb']),
  /** What keeps us from finding scanners, or from finding them at once. */
  problem: ScannerProblem.nullable(),
  devices: z.array(ScannerView),
})
export type ScannersView = z.infer<typeof ScannersView>

/** How scans sound at this station. */
export const SoundSettings = z.object({
  /** Per cent. */
  volume: z.number().int().min(0).max(100).default(70),
  isMuted: z.boolean().default(false),
})
export type SoundSettings = z.infer<typeof SoundSettings>

/** What a station sets of its scanners. */
export const ScannerSettings = z.object({
  prefixes: ScanPrefixes.prefault({}),
  wedge: WedgeSettings.prefault({}),
  sound: SoundSettings.prefault({}),
})
export type ScannerSettings = z.infer<typeof ScannerSettings>
