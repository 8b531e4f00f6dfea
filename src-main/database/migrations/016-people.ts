import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { covered, hashAfter } from '../../outbox/chain'

/** 400 days, in ms: no line of the journal goes earlier. */
const least = 34_560_000_000

const OldLine = z.tuple([z.number()]).rest(z.unknown())

/** People, and a journal that names them and is a chain. */
export function people(db: Database): void {
  db.exec(`
  -- secret: the hashes of the PIN and of the badge, sealed by this station. edit, restored: how often the person was edited, and
  -- brought back, in the store.
  CREATE TABLE person (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    short_name TEXT NOT NULL,
    role TEXT NOT NULL,
    secret TEXT NOT NULL,
    edit INTEGER NOT NULL,
    restored INTEGER NOT NULL,
    removed_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- The person who scanned the first item, by name.
  ALTER TABLE open_order ADD COLUMN begun_by TEXT;
  -- Rows of before get the column too, by which salvaging tells whose rows they are.
  UPDATE open_order SET begun_by = NULL;
  -- What is done about no report has no operation and no state. The table keeps its root, by which salvaging finds it.
  ALTER TABLE journal ALTER COLUMN operation_seq DROP NOT NULL;
  ALTER TABLE journal ALTER COLUMN to_state DROP NOT NULL;
  -- What a line without an operation is about; whose hand it was and who permitted it, by id and by the name at that time.
  ALTER TABLE journal ADD COLUMN subject TEXT;
  ALTER TABLE journal ADD COLUMN person TEXT;
  ALTER TABLE journal ADD COLUMN name TEXT;
  ALTER TABLE journal ADD COLUMN approver TEXT;
  ALTER TABLE journal ADD COLUMN approver_name TEXT;
  -- See outbox/chain.ts.
  ALTER TABLE journal ADD COLUMN hash TEXT NOT NULL DEFAULT '';
  CREATE INDEX journal_subject ON journal (subject) WHERE subject IS NOT NULL;
  CREATE INDEX journal_marks ON journal (entry) WHERE what IN ('removed', 'cut');
  DROP TRIGGER journal_keeps_update;
  DROP TRIGGER journal_keeps_delete;`)
  chain(db)
  db.exec(`
  CREATE TRIGGER journal_keeps_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  -- As before; what is of no operation may go for its age alone, but never what says which lines are missing.
  CREATE TRIGGER journal_keeps_delete BEFORE DELETE ON journal
  WHEN NOT coalesce(
    OLD.at < (SELECT at FROM journal ORDER BY entry DESC LIMIT 1) - ${least}
      AND CASE WHEN OLD.operation_seq IS NULL THEN OLD.what NOT IN ('removed', 'cut') ELSE
        (SELECT state FROM operation WHERE seq = OLD.operation_seq) IN ('accepted', 'cancelled')
        AND EXISTS (SELECT 1 FROM journal AS later WHERE later.operation_seq = OLD.operation_seq AND later.entry > OLD.entry) END, 0)
  BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;`)
}

/**
 * The lines that the journal has join the chain as they are. A number without a line may be that of one removed for its age: the
 * chain doesn't hold it against the journal.
 */
function chain(db: Database): void {
  const some = db
    .prepare(`SELECT entry, ${covered.join(', ')} FROM journal WHERE entry > ? ORDER BY entry LIMIT 1000`)
    .raw()
  const set = db.prepare('UPDATE journal SET hash = ? WHERE entry = ?')
  let [last, hash] = [0, '']
  for (;;) {
    const lines = some.all(last).map((line) => OldLine.parse(line))
    if (lines.length === 0) break
    for (const [entry, ...values] of lines) {
      hash = hashAfter(hash, values)
      set.run(hash, entry)
      last = entry
    }
  }
  db.exec(`INSERT OR REPLACE INTO setting (name, value)
    SELECT 'journal.chained', CAST(seq AS TEXT) FROM sqlite_sequence WHERE name = 'journal' AND seq > 0`)
}
