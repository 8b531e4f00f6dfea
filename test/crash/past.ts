import type { Line } from './ledger'

/** What the person at the station remembers, over all its lives: the ledger, read as it grows. */
export function pastOf(lines: readonly Line[]) {
  const begun = new Set<number>()
  const done = new Set<number>()
  const imports = new Map<number, string>()

  const note = (line: Line) => {
    if (line.line === 'begins') begun.add(line.n)
    if (line.line === 'done') done.add(line.n)
    if ((line.line === 'told' || line.line === 'found') && line.view) {
      if (line.view.kind === 'import' && !imports.has(line.n)) imports.set(line.n, line.view.id)
    }
  }
  for (const line of lines) note(line)

  return {
    note,
    isDone: (n: number) => done.has(n),
    /** Whether the station died over it. */
    wasBegun: (n: number) => begun.has(n),
    /** The operation that the import with that number became. */
    importOf: (n: number) => imports.get(n),
  }
}
