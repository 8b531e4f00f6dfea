/** The outbox with its journal, the carts, and what the station has seen. */
export const outbox = `
  -- One report to the service. The sequence is the only order there is: clocks jump, sequences don't.
  CREATE TABLE operation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'unknown', 'accepted', 'rejected', 'cancelled')),
    performed_at TEXT NOT NULL,
    performed_at_raw INTEGER NOT NULL,
    clock_offset INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- Faults in a row since the last answer: they lengthen the pause and nothing else.
    faults INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL DEFAULT 0,
    -- An attempt may have been taken by the service without our knowing.
    uncertain INTEGER NOT NULL DEFAULT 0 CHECK (uncertain IN (0, 1)),
    -- How many earlier unfinished operations hold a conflicting key: the rows of operation_wait, counted.
    blockers INTEGER NOT NULL DEFAULT 0 CHECK (blockers >= 0),
    reason TEXT,
    note TEXT,
    dismissed_because TEXT,
    undoes TEXT REFERENCES operation (id)
  ) STRICT;
  CREATE INDEX operation_claimable ON operation (seq) WHERE state IN ('queued', 'unknown') AND blockers = 0;
  CREATE INDEX operation_open ON operation (state) WHERE state IN ('queued', 'sending', 'unknown', 'rejected');
  CREATE INDEX operation_undoes ON operation (undoes) WHERE undoes IS NOT NULL;

  -- Keys are locks: exclusive or shared.
  CREATE TABLE operation_key (
    key TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES operation (seq),
    is_exclusive INTEGER NOT NULL CHECK (is_exclusive IN (0, 1)),
    PRIMARY KEY (key, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operation_key_of ON operation_key (seq);

  CREATE TABLE operation_wait (
    waiter INTEGER NOT NULL REFERENCES operation (seq),
    blocker INTEGER NOT NULL REFERENCES operation (seq),
    PRIMARY KEY (blocker, waiter)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operation_wait_of ON operation_wait (waiter);

  -- Who did what to which operation, when. Append-only.
  CREATE TABLE journal (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    operation_seq INTEGER NOT NULL REFERENCES operation (seq),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('person', 'station')),
    what TEXT NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    detail TEXT
  ) STRICT;
  CREATE INDEX journal_of ON journal (operation_seq);
  CREATE TRIGGER journal_keeps_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER journal_keeps_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

  -- The carts being filled: they outlive a power cut.
  CREATE TABLE cart (
    mode TEXT PRIMARY KEY CHECK (mode IN ('sale', 'return')),
    order_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE cart_item (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    mode TEXT NOT NULL REFERENCES cart (mode),
    tag_id TEXT NOT NULL,
    scanned_at INTEGER NOT NULL,
    flag TEXT,
    UNIQUE (mode, tag_id)
  ) STRICT;
  INSERT INTO cart (mode) VALUES ('sale'), ('return');

  -- What the station has seen, for the time without a network.
  CREATE TABLE seen_case (
    case_id TEXT PRIMARY KEY,
    identifier TEXT NOT NULL,
    facts TEXT NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX seen_case_identifier ON seen_case (identifier);
  CREATE TABLE seen_tag (
    tag_id TEXT PRIMARY KEY,
    facts TEXT NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE seen_package (
    package_uid TEXT PRIMARY KEY,
    cases TEXT NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `
