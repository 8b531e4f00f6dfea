import { createHidSource } from '../scanner/hid'
import { createScanHub } from '../scanner/hub'
import { type ScannerLayer, nodeHidLayer, nodeUsbEvents } from '../scanner/layer'
import { createScanJournal } from '../scanner/scan-journal'
import type { Ground } from './ground'
import type { LookingUp } from './lookup'

/** What is scanned, whoever reads it, and what was scanned lately. */
export function joinScanners(
  { db, events, clock, log }: Ground,
  { codes }: LookingUp,
  layer: ScannerLayer = { hid: nodeHidLayer(), usb: nodeUsbEvents() },
) {
  const scanJournal = createScanJournal({ db, clock, log })
  const scanHub = createScanHub({
    clock,
    known: () => codes.known(),
    onScan(scan) {
      events.emit('scanner.scanned', scan)
      scanJournal.note(scan)
    },
  })
  const scanners = createHidSource({
    layer,
    clock,
    log,
    onScan: ({ text, ...readBy }) => scanHub.submit(text, 'hid', { readBy }),
    onChange: (view) => events.emit('scanner.changed', view),
  })
  return { scanJournal, scanHub, scanners }
}
