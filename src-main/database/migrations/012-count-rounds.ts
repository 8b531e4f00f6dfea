import { keepsSigned } from './keeps-signed'

/** Of the finding that counts: other findings leave their differences behind. */
const inSignedFinding = `(SELECT state = 'signed' AND OLD.round <= round AND (OLD.gone IS NULL OR OLD.gone > round)
    FROM stock_count WHERE seq = OLD.count)`

/** Differences of a count that are found in turns. */
export const countRounds = `
  -- The end of a count of the shelf is found in turns. round: the finding whose differences count; 0 before the first.
  DROP TRIGGER stock_count_keeps_update;
  ALTER TABLE stock_count ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
  UPDATE stock_count SET round = coalesce((SELECT max(round) FROM stock_count_line WHERE count = seq), 0);
  CREATE TRIGGER stock_count_keeps_update BEFORE UPDATE ON stock_count WHEN OLD.state = 'signed' BEGIN
    SELECT RAISE(ABORT, 'a signed count never changes');
  END;

  -- The differences of a finished count. A finding writes its own piece by piece, under the next round, and marks those that it
  -- lacks; both count once the row of the count names that round. round: the first finding that it is of; gone: the first that
  -- lacks it; position: its place in the list.
  ALTER TABLE stock_count_line RENAME TO stock_count_line_before;
  CREATE TABLE stock_count_line (
    count INTEGER NOT NULL REFERENCES stock_count (seq),
    position INTEGER NOT NULL,
    tag_id TEXT NOT NULL,
    result TEXT NOT NULL CHECK (result IN ('missing', 'unexpected')),
    why TEXT,
    hint TEXT,
    order_id TEXT,
    case_id TEXT,
    identifier TEXT,
    product_id TEXT,
    product_name TEXT,
    brand_name TEXT,
    scanned_at INTEGER,
    reason TEXT,
    text TEXT,
    round INTEGER NOT NULL,
    gone INTEGER,
    PRIMARY KEY (count, position, round),
    UNIQUE (count, tag_id, round)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO stock_count_line
    SELECT count, position, tag_id, result, why, hint, order_id, case_id, identifier, product_id, product_name, brand_name,
      scanned_at, reason, text, round, NULL
    FROM stock_count_line_before;
  DROP TABLE stock_count_line_before;
  CREATE INDEX stock_count_line_gone ON stock_count_line (count, gone) WHERE gone IS NOT NULL;
${keepsSigned('stock_count_line', inSignedFinding)}
  DROP INDEX stock_item_product;
  DROP INDEX stock_item_brand;
  CREATE INDEX stock_item_product ON stock_item (product_id, case_id) WHERE standing = 'here';
  CREATE INDEX stock_item_brand ON stock_item (brand_name, case_id) WHERE standing = 'here';

  -- Who scanned them, and when: of those from before, only that it was after the signature is known.
  ALTER TABLE stock_count_late RENAME TO stock_count_late_before;
  CREATE TABLE stock_count_late (
    count INTEGER NOT NULL REFERENCES stock_count (seq),
    tag_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    station TEXT,
    product_name TEXT,
    brand_name TEXT,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO stock_count_late (count, tag_id, at)
    SELECT count, tag_id, coalesce((SELECT signed_at FROM stock_count WHERE seq = count), 0) FROM stock_count_late_before;
  DROP TABLE stock_count_late_before;
  `
