import { z } from 'zod'
import { ScannerSettings } from '../../src-shared/ipc/scanner-view'
import { type Known, learn } from '../../src-shared/scan/known'
import type { Settings } from '../store/settings'

/** What this station knows of the codes it reads: what the service's answers taught it, and what was set. */
export interface KnownCodes {
  known(): Known
  settings(): ScannerSettings
  /** Throws when the disk refuses. */
  set(settings: ScannerSettings): void
  /** An address that the service gave for an item (`tagid_url`) or a case (`collection_url`), with the id it stands for. */
  learn(kind: 'tag' | 'case', url: string | null | undefined, id: string): void
}

const settingsName = 'scanner.settings'
const learntName = 'scanner.learnt'
const usual: ScannerSettings = ScannerSettings.parse({})
const Learnt = z.object({ tag: z.array(z.string()), case: z.array(z.string()) })
/** A service has a handful; whatever sends more is not to fill the disk. */
const mostPrefixes = 20

/** `onLearnt` hears of what was learnt, once it counts. */
export function createKnownCodes(store: Settings, onLearnt: (known: Known) => void = () => undefined): KnownCodes {
  let settings = store.read(settingsName, ScannerSettings) ?? usual
  let learnt = store.read(learntName, Learnt) ?? { tag: [], case: [] }

  const known = () => ({ tagPrefixes: learnt.tag, casePrefixes: learnt.case, scanPrefixes: settings.prefixes })

  return {
    known,
    settings: () => settings,
    set(next) {
      store.write(settingsName, next)
      settings = next
    },
    learn(kind, url, id) {
      const prefix = url == null ? undefined : learn(url, id)
      if (prefix === undefined || learnt[kind].includes(prefix)) return
      // The newest first: an address that the service gave up is the one to go.
      learnt = { ...learnt, [kind]: [prefix, ...learnt[kind]].slice(0, mostPrefixes) }
      store.keep(learntName, learnt)
      onLearnt(known())
    },
  }
}
