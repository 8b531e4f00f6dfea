import { z } from 'zod'
import { KnownPrefixes, ScanPrefixes } from '../../scan/known'
import { Meaning, MeaningKind, Place, Scan, ScanSource, WedgeTrouble } from '../../scan/meaning'
import { longestJoinText } from '../../scan/join-text'
import { WedgeSettings } from '../../scan/timing'
import { call, done, nothing } from './call'

/** An answer holds at most so many scans. */
export const mostScans = 200

/** A scan as the journal keeps it: without anything that may identify a person. */
export const RecordedScan = z.object({
  /** Its number in the journal, in the order of arrival. Gaps are possible. */
  number: z.number().int().positive(),
  /** ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  source: ScanSource,
  device: z.string().nullable(),
  symbology: z.string().nullable(),
  kind: MeaningKind,
  /** The `text` of a meaning is left empty. Null if only the kind is kept. */
  meaning: Meaning.nullable(),
  /** What was read, and its length: only the beginning of a long text is kept. Null: not kept. */
  raw: z.object({ text: z.string(), length: z.number().int().nonnegative() }).nullable(),
})
export type RecordedScan = z.infer<typeof RecordedScan>

/** Everything that can be wrong with scanners. Remedies: `src-main/scanner/problems.ts`. */
export const ScannerProblem = z.enum([
  // Problems of finding scanners
  /** node-hid can't load a library (libusb on Linux): only keyboard-mode scanners work. */
  'scanner/missing-library',
  /** The system does not report plugged-in devices (as in a virtual machine): scanners are looked for at intervals. */
  'scanner/no-usb',
  'scanner/cannot-list',

  // Problems that make a scanner unusable
  'scanner/no-permission',
  'scanner/needs-macos-permission',
  /** Another program holds it. */
  'scanner/busy',
  'scanner/out-of-files',
  'scanner/cannot-open',
  /** Unplugged, out of range, or broken. */
  'scanner/lost',

  // Problems of the last scan: the next good scan clears them
  'scanner/unreadable',
  'scanner/scan-incomplete',
  'scanner/scan-too-long',
])
export type ScannerProblem = z.infer<typeof ScannerProblem>

/** A scanner. `id` stays the same while it is unplugged and plugged in again, until the app quits. */
export const ScannerView = z.object({
  id: z.string(),
  /** Manufacturer and product, as reported by the scanner. */
  name: z.string(),
  source: z.literal('hid'),
  /** A `ready` scanner may still have a problem: with its last scan. */
  state: z.enum(['ready', 'opening', 'failed']),
  problem: ScannerProblem.nullable(),
  /** ISO 8601. */
  lastScanAt: z.iso.datetime({ offset: true }).nullable(),
  scans: z.number().int().nonnegative(),
})
export type ScannerView = z.infer<typeof ScannerView>

/** All scanners that Countertag reads itself. Keyboard-mode scanners are not listed: they look like keyboards. */
export const ScannersView = z.object({
  library: z.enum(['ok', 'missing', 'no-usb']),
  /** Why scanners can't be found, or only with a delay. */
  problem: ScannerProblem.nullable(),
  devices: z.array(ScannerView),
})
export type ScannersView = z.infer<typeof ScannersView>

/** How scans sound at this station. */
export const SoundSettings = z.object({
  /** Percent. */
  volume: z.number().int().min(0).max(100).default(70),
  isMuted: z.boolean().default(false),
})
export type SoundSettings = z.infer<typeof SoundSettings>

/** The station's settings for its scanners. */
export const ScannerSettings = z.object({
  prefixes: ScanPrefixes.prefault({}),
  wedge: WedgeSettings.prefault({}),
  sound: SoundSettings.prefault({}),
})
export type ScannerSettings = z.infer<typeof ScannerSettings>

/** Scanners, their scans, and what this station knows about codes. */
export const scannerCalls = {
  /**
   * Tells main the screen on which the next scans happen, because a bare id means a case in receiving and an item
   * elsewhere. Called again when scans get another meaning on that screen (sell, return), so that the same code isn't
   * taken for a repeat.
   */
  'scanner.setPlace': call(z.object({ place: Place }), done),
  /**
   * Submits the text that a keyboard-mode scanner typed or a person entered; the scan arrives as the event
   * `scanner.scanned`.
   */
  'scanner.submit': call(
    z.object({
      text: z.string().max(longestJoinText + 100),
      // Scans of scanners that main reads itself don't use this call.
      source: ScanSource.exclude(['hid']),
      troubles: z.array(WedgeTrouble).max(10).optional(),
    }),
    done,
  ),
  'scanner.scanners': call(nothing, ScannersView),
  /** Looks for scanners now; results arrive as the event `scanner.changed`. */
  'scanner.look': call(nothing, done),
  /** Recent scans, newest first. Pass `older` as `before` to get the next ones; null at the end. */
  'scanner.recent': call(
    z.object({ before: z.number().int().positive().optional() }),
    z.object({ scans: z.array(RecordedScan).max(mostScans), older: z.number().int().positive().nullable() }),
  ),
  'scanner.settings': call(nothing, ScannerSettings),
  /** What this station knows about codes; changes arrive as the event of the same name. */
  'scanner.known': call(nothing, KnownPrefixes),
  'scanner.setSettings': call(ScannerSettings, done),
} as const

export const scannerEvents = {
  'scanner.scanned': Scan,
  'scanner.changed': ScannersView,
  'scanner.known': KnownPrefixes,
} as const
