import { ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import { ScannerSource } from '../scanner/hid'
import { createScanHub } from '../scanner/scanners'
import { nodeHidLayer, nodeUsbEvents } from '../scanner/layer'
import { createScanJournal } from '../scanner/scan-journal'
import { saved } from '../database/saved'
import type { CoreContext } from './context'
import type { LookupParts } from './network'
import type { PeopleParts } from './people'
import type { Surroundings } from './surroundings'

/** All kinds of scanners, their scans, and the list of recent scans. */
export function createScannersParts(
  { db, events, clock, pastClock, log }: CoreContext,
  { codes }: LookupParts,
  { people, signIn }: PeopleParts,
  { scanners: layer = { hid: nodeHidLayer(), usb: nodeUsbEvents() }, onJoinCode }: Surroundings,
) {
  const scanJournal = createScanJournal({ db, clock: pastClock, log })
  const scanHub = createScanHub({
    clock,
    known: () => codes.known(),
    badgeOf(text) {
      const person = people.byBadge(text)
      return person && { kind: 'badge', badge: person.shortName, proof: signIn.proofOf(person.id) }
    },
    onScan(scan) {
      if (signIn.current()) signIn.stepped()
      events.emit('scanner.scanned', scan)
      scanJournal.note(scan)
    },
    onJoinCode,
  })
  const scanners = new ScannerSource({
    layer,
    clock,
    log,
    onScan: ({ text, ...readBy }) => scanHub.submit(text, 'hid', { readBy }),
    onChange: (view) => events.emit('scanner.changed', view),
  })
  const handlers: HandlersOf<'scanner'> = {
    'scanner.setPlace': ({ place }) => {
      scanHub.setPlace(place)
      signIn.setPlace(place)
      return ok(null)
    },
    'scanner.submit': ({ text, source, troubles }) => {
      scanHub.submit(text, source, troubles ? { troubles } : {})
      return ok(null)
    },
    'scanner.scanners': () => ok(scanners.view()),
    'scanner.look': () => {
      scanners.look()
      return ok(null)
    },
    'scanner.recent': ({ before }) => ok(scanJournal.recent(before)),
    'scanner.settings': () => ok(codes.settings()),
    'scanner.known': () => ok(codes.known()),
    'scanner.setSettings': (settings) =>
      saved(() => {
        codes.set(settings)
        return ok(null)
      }),
  }
  return { scanJournal, scanners, handlers }
}
