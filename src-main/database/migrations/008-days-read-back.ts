/** Reports that a person must settle, and days that are read back from the service. */
export const daysReadBack = `
  -- A person has to say what became of it: neither answers nor reading show it. It is still tried.
  ALTER TABLE operation ADD COLUMN unsettled INTEGER NOT NULL DEFAULT 0 CHECK (unsettled IN (0, 1));
  -- Written out in every row: a row is known for one by all its columns when a broken page has to be read.
  UPDATE operation SET unsettled = 0;
  CREATE INDEX operation_unsettled ON operation (seq) WHERE unsettled = 1;
  -- Reasons used to be kept as long as the service made them.
  UPDATE operation SET reason = json_set(reason, '$.detail', substr(reason ->> '$.detail', 1, 500))
  WHERE length(reason) > 2048 AND CASE WHEN json_valid(reason) THEN json_type(reason, '$.detail') END = 'text';
  -- A service whose clock was thousands of years ahead put reports on days that no list has.
  UPDATE operation SET clock_offset = 0, performed_at = strftime('%Y-%m-%dT%H:%M:%fZ', performed_at_raw / 1000.0, 'unixepoch')
  WHERE performed_at NOT GLOB '[0-9][0-9][0-9][0-9]-*';
  UPDATE sale_entry SET at = (SELECT performed_at_raw FROM operation WHERE operation.seq = sale_entry.seq)
  WHERE at > 253402300799999 OR at < -62135596800000;
  -- Days that are or were read back from the service: verifying one continues after a restart.
  CREATE TABLE day_reading (
    day TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'finished')),
    asked_at INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    -- Reports of the day that the service had taken when it began: with others since, it is out of date.
    reports INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE day_reading_item (
    day TEXT NOT NULL REFERENCES day_reading (day) ON DELETE CASCADE,
    tag_id TEXT NOT NULL,
    -- In the order of the day's reports.
    position INTEGER NOT NULL,
    -- The case it was last seen in.
    case_id TEXT,
    -- JSON: where our reports leave it, and what the service showed. NULL until it was read.
    reported TEXT,
    shown TEXT,
    readings INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, tag_id)
  ) STRICT, WITHOUT ROWID;
  `
