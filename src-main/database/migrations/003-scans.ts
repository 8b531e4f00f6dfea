/** What was scanned lately. */
export const scans = `
  -- What was scanned lately, in the order of arrival. Trimmed, so nothing else may refer to it.
  CREATE TABLE scan (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    device TEXT,
    symbology TEXT,
    kind TEXT NOT NULL,
    -- JSON without the scanned text; NULL where only the kind is kept.
    meaning TEXT,
    -- What was read, cut to its beginning, and how long it was; NULL where it may name a person.
    raw TEXT,
    raw_length INTEGER
  ) STRICT;
  `
