/** What another station did with an item: scanned it, or took its scan back (`isGone`). `station` is null for this one. */
interface EnteredElsewhere<Key> {
  key: Key
  at: number
  isGone: boolean
  station: string | null
}

interface ScanHere {
  at: number
  station: string | null
}

/** What an entry of the store does to the count here: takes the scan back, adds it, or counts it for another station. */
export type MergedChange<Entry, Scan> =
  | { does: 'remove'; entry: Entry; before: Scan }
  | { does: 'add'; entry: Entry; before: undefined }
  | { does: 'replace'; entry: Entry; before: Scan }

interface Here<Key, Scan> {
  /** Whether the others don't know this station's own scan or undo of an item yet: then that counts. */
  isOwn: (key: Key) => boolean
  scanOf: (key: Key) => Scan | undefined
  /** Whether a scan is the one that the others have. */
  isSame: (scan: Scan, entry: EnteredElsewhere<Key>) => boolean
}

/** The entries that change the count here, each judged when the ones before it were merged. Pure but for what `here` reads. */
export function* changesOf<Key, Entry extends EnteredElsewhere<Key>, Scan extends ScanHere>(
  entries: readonly Entry[],
  { isOwn, scanOf, isSame }: Here<Key, Scan>,
): Generator<MergedChange<Entry, Scan>> {
  for (const entry of entries) {
    if (isOwn(entry.key)) continue
    const before = scanOf(entry.key)
    if (!before && !entry.isGone) yield { does: 'add', entry, before }
    else if (before && entry.isGone) yield { does: 'remove', entry, before }
    else if (before && !isSame(before, entry)) yield { does: 'replace', entry, before }
  }
}
