import { z } from 'zod'
import { Known, ScanPrefixes } from '../../scan/known'
import { Meaning, MeaningKind, Place, Scan, ScanSource, WedgeTrouble } from '../../scan/meaning'
import { WedgeSettings } from '../../scan/timing'
import { call, done, longestText, nothing } from './call'

/** An answer holds at most so many. */
export const mostScans = 200

/** A scan as the journal keeps it: whatever may name a person is left out. */
export const RecordedScan = z.object({
  /** Its number in the journal, in the order of arrival. Gaps are possible. */
  number: z.number().int().positive(),
  /** ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  source: ScanSource,
  device: z.string().nullable(),
  symbology: z.string().nullable(),
  kind: MeaningKind,
  /** Its `text`, where a meaning has one, is left empty. Null where only the kind is kept. */
  meaning: Meaning.nullable(),
  /** What was read, and how many characters it had: of a long one only the beginning is kept. Null: not kept. */
  raw: z.object({ text: z.string(), length: z.number().int().nonnegative() }).nullable(),
})
export type RecordedScan = z.infer<typeof RecordedScan>

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

/** Scanners, what they read, and what this station knows of codes. */
export const scannerCalls = {
  /**
   * Tells main where the next scans happen, for a bare id means a case in receiving and an item elsewhere. Called again
   * when a scan comes to do something else there (sell, return): the same code is then no repeat.
   */
  'scanner.setPlace': call(z.object({ place: Place }), done),
  /** Hands in what a wedge typed or a person entered; the scan itself arrives as the event `scanner.scanned`. */
  'scanner.submit': call(
    z.object({
      text: z.string().max(longestText),
      // Scanners that main reads itself don't come by here.
      source: ScanSource.exclude(['hid']),
      troubles: z.array(WedgeTrouble).max(10).optional(),
    }),
    done,
  ),
  'scanner.scanners': call(nothing, ScannersView),
  /** Looks for scanners now; what is found arrives as the event `scanner.changed`. */
  'scanner.look': call(nothing, done),
  /** What was scanned lately, newest first. `older` is to be passed as `before` for what comes next; null at the end. */
  'scanner.recent': call(
    z.object({ before: z.number().int().positive().optional() }),
    z.object({ scans: z.array(RecordedScan).max(mostScans), older: z.number().int().positive().nullable() }),
  ),
  'scanner.settings': call(nothing, ScannerSettings),
  /** What this station knows of codes; what it learns later arrives as the event of the same name. */
  'scanner.known': call(nothing, Known),
  'scanner.setSettings': call(ScannerSettings, done),
} as const

export const scannerEvents = {
  'scanner.scanned': Scan,
  'scanner.changed': ScannersView,
  'scanner.known': Known,
} as const
