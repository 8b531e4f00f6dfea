import { z } from 'zod'
import { Known } from '../../scan/known'
import { Place, Scan, ScanSource, WedgeTrouble } from '../../scan/meaning'
import { RecordedScan, mostScans } from '../recorded-scan'
import { ScannerSettings, ScannersView } from '../scanner-view'
import { call, nothing, done, longestText } from './call'

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
