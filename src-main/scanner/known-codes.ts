import { z } from 'zod'
import { ScannerSettings } from '../../src-shared/ipc/contract/scanner'
import { type KnownPrefixes, learn } from '../../src-shared/scan/known'
import type { Settings } from '../database/settings'

export type KnownCodes = ReturnType<typeof createKnownCodes>

const settingsName = 'scanner.settings'
const learntName = 'scanner.learnt'
const usual: ScannerSettings = ScannerSettings.parse({})
const Learnt = z.object({ tag: z.array(z.string()), case: z.array(z.string()) })
/** A service uses a handful; the limit protects the disk. */
const mostPrefixes = 20

/** What this station knows about codes: learnt from the service's answers, and set. `onLearnt` is called after learning. */
export function createKnownCodes(store: Settings, onLearnt: (known: KnownPrefixes) => void = () => undefined) {
  let settings = store.read(settingsName, ScannerSettings) ?? usual
  let learnt = store.read(learntName, Learnt) ?? { tag: [], case: [] }

  const known = (): KnownPrefixes => ({
    tagPrefixes: learnt.tag,
    casePrefixes: learnt.case,
    scanPrefixes: settings.prefixes,
  })

  return {
    known,
    settings: () => settings,
    /** Throws if the disk refuses. */
    set(next: ScannerSettings) {
      store.write(settingsName, next)
      settings = next
    },
    /** Takes an address that the service gave for an item (`tagid_url`) or a case (`collection_url`), and its id. */
    learn(kind: 'tag' | 'case', url: string | null | undefined, id: string) {
      const prefix = url == null ? undefined : learn(url, id)
      if (prefix === undefined || learnt[kind].includes(prefix)) return
      // Newest first, so that an address no longer in use is dropped.
      learnt = { ...learnt, [kind]: [prefix, ...learnt[kind]].slice(0, mostPrefixes) }
      store.keep(learntName, learnt)
      onLearnt(known())
    },
  }
}
