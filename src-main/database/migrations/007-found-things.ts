/** What Find has shown. */
export const foundThings = `
  -- What Find has shown, and what cases say about their batches and certificates. Columns that queries over many rows need
  -- come before the long ones, which have pages of their own.
  CREATE TABLE found_thing (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Of a collection: what is printed on it.
    identifier TEXT,
    name TEXT,
    detail TEXT,
    -- The case that names it, if it was not looked up itself.
    via TEXT,
    asked_at INTEGER NOT NULL,
    -- When it was last shown; NULL if never.
    shown_at INTEGER,
    -- Of the view, in bytes.
    size INTEGER NOT NULL,
    -- What it is looked for by, in lower case.
    words TEXT NOT NULL,
    -- JSON without operations.
    view TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT;
  -- All that trimming reads.
  CREATE INDEX found_thing_use ON found_thing (shown_at, asked_at, size);
  CREATE INDEX found_thing_id ON found_thing (id);
  CREATE INDEX found_thing_identifier ON found_thing (kind, identifier) WHERE identifier IS NOT NULL;
  `
