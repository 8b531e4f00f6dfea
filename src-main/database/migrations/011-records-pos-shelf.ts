import { keepsSigned } from './keeps-signed'

/** Whether an operation, with one of its keys, changes which items should be on the shelf. */
const concernsStock = (key: string) => `CASE
      WHEN kind IN ('complete', 'return', 'void', 'add-items', 'remove-item', 'restore-item') THEN ${key} GLOB 'tag:*'
      WHEN kind IN ('import', 'import-removal', 'remove-collection', 'restore-collection') THEN ${key} GLOB 'case:*' END`

const dueAgain = 'ON CONFLICT (key) DO UPDATE SET change = change + 1;'

const ofSignedCount = `(SELECT state FROM stock_count WHERE seq = OLD.count) = 'signed'`

/** Shared deliveries, manifests, records, photos, the sales of the POS, and counts of the shelf. */
export const recordsPosShelf = `
  -- The station that listed a package or case of a delivery; NULL for this one.
  ALTER TABLE delivery_package ADD COLUMN station TEXT;
  ALTER TABLE delivery_case ADD COLUMN station TEXT;
  -- Deliveries that all stations share, as hub_count; the other station that began one, and the one that finished it.
  CREATE TABLE hub_delivery (
    delivery INTEGER PRIMARY KEY, mark TEXT, revision INTEGER NOT NULL DEFAULT 0, change INTEGER NOT NULL DEFAULT 1, told INTEGER NOT NULL DEFAULT 0,
    station TEXT, finished_by TEXT, finished_by_name TEXT
  ) STRICT;
  -- Their packages and cases that were listed or dropped here, and not told.
  CREATE TABLE hub_delivery_due (
    delivery INTEGER NOT NULL, key TEXT NOT NULL, change INTEGER NOT NULL, is_others INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (delivery, key)
  ) STRICT, WITHOUT ROWID;
  -- What other stations listed, dropped or scanned, that this one heard of after it had finished the delivery, until a version of
  -- its record has it: 'package …', 'case …', 'scan …'.
  CREATE TABLE delivery_late (
    delivery INTEGER NOT NULL, key TEXT NOT NULL, station TEXT, is_gone INTEGER NOT NULL, PRIMARY KEY (delivery, key)
  ) STRICT, WITHOUT ROWID;
  -- What a person has not seen yet: a delivery was finished at another station, or its record got a version with what came late.
  CREATE TABLE delivery_notice (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, delivery INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('finished', 'record-added')), station TEXT, UNIQUE (delivery, what)
  ) STRICT;
  -- Opened again, it isn't over any more.
  CREATE TRIGGER delivery_notice_over AFTER UPDATE OF finished_at ON delivery WHEN NEW.finished_at IS NULL BEGIN
    DELETE FROM delivery_notice WHERE delivery = NEW.seq AND what = 'finished';
  END;
  -- What other stations import, or have imported; product_id is '' for any product of the case. heard_at: by this computer's clock.
  CREATE TABLE hub_import (
    case_id TEXT NOT NULL, product_id TEXT NOT NULL, station_id TEXT NOT NULL, station TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('importing', 'imported')), at INTEGER NOT NULL, heard_at INTEGER NOT NULL,
    PRIMARY KEY (case_id, product_id)
  ) STRICT, WITHOUT ROWID;
  -- Imports of this station that the others may know in an older state.
  CREATE TABLE hub_import_due (
    case_id TEXT NOT NULL, product_id TEXT NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (case_id, product_id)
  ) STRICT, WITHOUT ROWID;

  -- What was wrong during an outage, each cause until the next. By the service's clock, as the outage itself.
  CREATE TABLE outage_cause (
    outage INTEGER NOT NULL REFERENCES outage (began_at) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    PRIMARY KEY (outage, at)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO outage_cause SELECT began_at, began_at, cause FROM outage;
  -- The newest report and step in the journal at its beginning, and the newest report at its end (NULL while it lasts): what was
  -- done during it is found by numbers, because clocks jump. Of earlier outages by the times of the orders.
  ALTER TABLE outage ADD COLUMN start_seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE outage ADD COLUMN start_entry INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE outage ADD COLUMN last_seq INTEGER;
  UPDATE outage SET
    start_seq = coalesce((SELECT seq FROM sale_entry WHERE at < began_at ORDER BY at DESC LIMIT 1), 0),
    last_seq = iif(ended_at IS NULL, NULL,
      coalesce((SELECT seq FROM sale_entry WHERE at <= ended_at ORDER BY at DESC LIMIT 1), 0));

  -- What was ordered or shipped. Without a delivery, it waits for the next one.
  CREATE TABLE manifest (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    delivery INTEGER REFERENCES delivery (seq),
    file_name TEXT NOT NULL,
    loaded_at INTEGER NOT NULL,
    left_out INTEGER NOT NULL,
    -- Not in force any more, but it can be put in force again.
    gone TEXT CHECK (gone IN ('removed', 'replaced')),
    gone_at INTEGER,
    -- How a delivery that is over compared with it, as JSON.
    result TEXT
  ) STRICT;
  CREATE UNIQUE INDEX manifest_in_force ON manifest (coalesce(delivery, 0)) WHERE gone IS NULL;
  CREATE INDEX manifest_delivery ON manifest (delivery);
  CREATE TABLE manifest_line (
    manifest INTEGER NOT NULL REFERENCES manifest (seq),
    line INTEGER NOT NULL,
    package_uid TEXT NOT NULL,
    product_name TEXT,
    sku TEXT,
    pos_product_id TEXT,
    count INTEGER,
    -- How many lines of the file were added up.
    lines INTEGER NOT NULL,
    PRIMARY KEY (manifest, line)
  ) STRICT, WITHOUT ROWID;
  -- Which product a person said that the words of a line mean.
  CREATE TABLE manifest_match (said TEXT PRIMARY KEY, product_id TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- The next delivery takes the manifest that waits, and what it replaced.
  CREATE TRIGGER manifest_awaited AFTER INSERT ON delivery WHEN NEW.finished_at IS NULL BEGIN
    UPDATE manifest SET delivery = NEW.seq WHERE delivery IS NULL AND gone IS NOT 'removed';
  END;

  -- The records of finished deliveries, and what was added to them afterwards. Each has a mark: the SHA-256 of the mark of the
  -- entry before and of its own body, so that a changed one shows.
  CREATE TABLE delivery_entry (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery INTEGER NOT NULL REFERENCES delivery (seq),
    -- Of a record: 1, and one more for each later one of its delivery. NULL for a correction.
    version INTEGER,
    at INTEGER NOT NULL,
    -- JSON.
    body TEXT NOT NULL,
    before TEXT NOT NULL,
    mark TEXT NOT NULL,
    UNIQUE (delivery, version)
  ) STRICT;
  CREATE TRIGGER delivery_entry_unchanged BEFORE UPDATE ON delivery_entry BEGIN
    SELECT RAISE(ABORT, 'a record is never changed');
  END;
  CREATE TRIGGER delivery_entry_kept BEFORE DELETE ON delivery_entry BEGIN
    SELECT RAISE(ABORT, 'a record is never deleted');
  END;
  -- Photos of deliveries, and of their corrections. The pictures are files beside the database, named by sha256.
  CREATE TABLE delivery_photo (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    delivery INTEGER NOT NULL REFERENCES delivery (seq),
    -- The entry of the correction that it belongs to; NULL for a photo of the delivery itself.
    correction INTEGER,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    caption TEXT NOT NULL,
    package_uid TEXT,
    case_id TEXT,
    added_at INTEGER NOT NULL,
    -- Its file is deleted once the delivery is finished.
    removed_at INTEGER
  ) STRICT;
  CREATE INDEX delivery_photo_of ON delivery_photo (delivery);
  CREATE INDEX delivery_photo_file ON delivery_photo (sha256);
  CREATE TRIGGER delivery_photo_unchanged BEFORE UPDATE ON delivery_photo
  WHEN OLD.correction IS NOT NULL OR (SELECT finished_at FROM delivery WHERE seq = OLD.delivery) IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'a photo of a finished delivery is never changed');
  END;
  CREATE TRIGGER delivery_photo_kept BEFORE DELETE ON delivery_photo BEGIN
    SELECT RAISE(ABORT, 'a photo is never deleted, only its file');
  END;

  -- The POS's sales of a day, as its file had them. A file is stored under a new load while it arrives; this row makes it count.
  CREATE TABLE pos_day (
    day TEXT PRIMARY KEY, load INTEGER NOT NULL, loaded_at INTEGER NOT NULL,
    -- JSON: what a person is told of the file.
    file TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- What the POS calls products, and whether a person said that one is compared (1) or never (0).
  CREATE TABLE pos_product (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, pos_product_id TEXT, sku TEXT, name TEXT, is_tracked INTEGER
  ) STRICT;
  -- Lines of one order and product, added up; count in thousandths. product: NULL if no column of a product was matched.
  CREATE TABLE pos_day_line (
    load INTEGER NOT NULL, order_id TEXT NOT NULL, loose TEXT NOT NULL, product INTEGER, is_voided INTEGER NOT NULL,
    count INTEGER NOT NULL, line INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX pos_day_line_order ON pos_day_line (load, order_id);
  CREATE INDEX pos_day_line_loose ON pos_day_line (loose, load);
  -- Why a difference stays. mark: the difference as it was then.
  CREATE TABLE pos_day_reason (
    day TEXT NOT NULL, order_id TEXT NOT NULL, mark TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (day, order_id)
  ) STRICT, WITHOUT ROWID;
  -- Numbers under which missing items of an order were sold: the order's own can be used once.
  CREATE TABLE pos_second (order_id TEXT PRIMARY KEY, of_order TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX pos_second_of ON pos_second (of_order);

  -- What this store should have on its shelf, item by item, and why. Made from the operations and from what the service says
  -- of the cases. position: the newest step of the journal when the case was asked about; what the journal has accepted by then
  -- is in the answer. asked_at: NULL if the case was never read as a whole.
  CREATE TABLE stock_case (
    case_id TEXT PRIMARY KEY,
    identifier TEXT,
    product_name TEXT,
    position INTEGER NOT NULL DEFAULT 0,
    asked_at INTEGER,
    -- To be read from the service, as a package.
    is_wanted INTEGER NOT NULL DEFAULT 0 CHECK (is_wanted IN (0, 1)),
    -- A number of the same row of changes as 'moved' of an item, given when it was asked about last.
    asked_move INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stock_case_asked ON stock_case (asked_move);
  CREATE INDEX stock_case_wanted ON stock_case (case_id) WHERE is_wanted = 1;
  CREATE TABLE stock_package (
    package_uid TEXT PRIMARY KEY,
    is_wanted INTEGER NOT NULL DEFAULT 0 CHECK (is_wanted IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stock_package_wanted ON stock_package (package_uid) WHERE is_wanted = 1;
  CREATE TABLE stock_item (
    tag_id TEXT PRIMARY KEY,
    case_id TEXT NOT NULL,
    packaged_product_id TEXT,
    product_id TEXT,
    product_name TEXT,
    brand_name TEXT,
    -- What the service said: in whose inventory it is, and whether it is sold; NULL if that was not read.
    said TEXT NOT NULL,
    said_sold INTEGER,
    standing TEXT NOT NULL,
    -- Rises with each change of any item: whether it changed before or after a count began is told by this, not by a clock.
    -- reported: the same of changes by this station's reports alone.
    moved INTEGER NOT NULL,
    reported INTEGER NOT NULL,
    -- The change that taught that it is in this store's inventory; imported_at: since when, by the service, in ms.
    taught INTEGER NOT NULL,
    imported_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stock_item_case ON stock_item (case_id);
  CREATE INDEX stock_item_moved ON stock_item (moved);
  CREATE INDEX stock_item_here ON stock_item (case_id) WHERE standing = 'here';
  CREATE INDEX stock_item_product ON stock_item (product_id) WHERE standing = 'here';
  CREATE INDEX stock_item_brand ON stock_item (brand_name) WHERE standing = 'here';

  -- Keys of operations (tag:, case:) whose items may stand otherwise, noted in the commit that changes it. Whether an operation
  -- is queued, on its way or accepted makes no difference; whether it is refused or taken back does.
  CREATE TABLE stock_due (key TEXT PRIMARY KEY, change INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
  CREATE TRIGGER stock_report_made AFTER INSERT ON operation_key
  WHEN EXISTS (SELECT 1 FROM operation WHERE seq = NEW.seq AND ${concernsStock('NEW.key')}) BEGIN
    INSERT INTO stock_due (key) VALUES (NEW.key) ${dueAgain}
  END;
  CREATE TRIGGER stock_report_corrected AFTER DELETE ON operation_key
  WHEN EXISTS (SELECT 1 FROM operation WHERE seq = OLD.seq AND ${concernsStock('OLD.key')}) BEGIN
    INSERT INTO stock_due (key) VALUES (OLD.key) ${dueAgain}
  END;
  CREATE TRIGGER stock_report_settled AFTER UPDATE OF state ON operation
  WHEN (OLD.state IN ('rejected', 'cancelled')) <> (NEW.state IN ('rejected', 'cancelled')) BEGIN
    INSERT INTO stock_due (key)
      SELECT key FROM operation_key JOIN operation USING (seq) WHERE seq = NEW.seq AND ${concernsStock('key')} ${dueAgain}
  END;
  -- A blind import turned out to be the import of a case; its keys may stay.
  CREATE TRIGGER stock_report_identified AFTER UPDATE OF kind ON operation WHEN OLD.kind <> NEW.kind BEGIN
    INSERT INTO stock_due (key)
      SELECT key FROM operation_key JOIN operation USING (seq) WHERE seq = NEW.seq AND ${concernsStock('key')} ${dueAgain}
  END;
  -- The sales of their items are found with them.
  INSERT INTO stock_due (key)
    SELECT DISTINCT key FROM operation INDEXED BY operation_received JOIN operation_key USING (seq)
    WHERE kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item')
      AND kind = 'import' AND key GLOB 'case:*';

  -- Counts of the shelf. scope, as_of, results, ended and stations are JSON. started_move: the newest change of an item when it began,
  -- or when this station joined it. ended: how another station finished it last. stations: who scanned how much, once it is signed.
  CREATE TABLE stock_count (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('counting', 'paused', 'finished', 'signed', 'dropped')),
    is_recount INTEGER NOT NULL DEFAULT 0 CHECK (is_recount IN (0, 1)),
    started_at INTEGER NOT NULL,
    started_move INTEGER NOT NULL,
    as_of TEXT NOT NULL,
    finished_at INTEGER,
    signed_at INTEGER,
    signature TEXT,
    revision INTEGER NOT NULL DEFAULT 0,
    results TEXT,
    ended TEXT,
    stations TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE INDEX stock_count_open ON stock_count (seq) WHERE state IN ('counting', 'paused', 'finished');
  CREATE INDEX stock_count_past ON stock_count (seq) WHERE state IN ('finished', 'signed');
  -- A scan, with how the item stood at that moment; 'unknown' if it was not on the list. station: the other one that scanned it,
  -- by its own list; move: the newest change of an item here when that was heard.
  CREATE TABLE stock_count_scan (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    count INTEGER NOT NULL REFERENCES stock_count (seq),
    tag_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    standing TEXT NOT NULL,
    product_id TEXT,
    product_name TEXT,
    brand_name TEXT,
    case_id TEXT,
    station TEXT,
    move INTEGER,
    UNIQUE (count, tag_id)
  ) STRICT;
  CREATE INDEX stock_count_scan_of ON stock_count_scan (count);
  CREATE INDEX stock_count_scan_others ON stock_count_scan (count, station) WHERE station IS NOT NULL;
  CREATE INDEX stock_count_scan_move ON stock_count_scan (move) WHERE move IS NOT NULL;
  -- The differences of a finished count. round: the finding that it is of; what a later one lacks is deleted.
  CREATE TABLE stock_count_line (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    count INTEGER NOT NULL REFERENCES stock_count (seq),
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
    UNIQUE (count, tag_id)
  ) STRICT;
  -- Items of signed counts that other stations told afterwards: they are not in it.
  CREATE TABLE stock_count_late (
    count INTEGER NOT NULL REFERENCES stock_count (seq),
    tag_id TEXT NOT NULL,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stock_count_line_of ON stock_count_line (count);
  CREATE TABLE stock_count_product (
    count INTEGER NOT NULL REFERENCES stock_count (seq),
    -- '' for items whose product isn't known.
    product TEXT NOT NULL,
    product_name TEXT,
    brand_name TEXT,
    found INTEGER NOT NULL,
    missing INTEGER NOT NULL,
    unexpected INTEGER NOT NULL,
    PRIMARY KEY (count, product)
  ) STRICT, WITHOUT ROWID;
  -- Counts that all stations share, as hub_count, and their items whose scan, or its undo, was not told.
  CREATE TABLE hub_stock (
    count INTEGER PRIMARY KEY, mark TEXT, revision INTEGER NOT NULL DEFAULT 0, change INTEGER NOT NULL DEFAULT 1, told INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE hub_stock_due (
    count INTEGER NOT NULL, tag_id TEXT NOT NULL, change INTEGER NOT NULL, is_others INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  -- What was signed stays.
${['stock_count_scan', 'stock_count_line', 'stock_count_product'].map((table) => keepsSigned(table, ofSignedCount)).join('\n')}
  CREATE TRIGGER stock_count_keeps_update BEFORE UPDATE ON stock_count WHEN OLD.state = 'signed' BEGIN
    SELECT RAISE(ABORT, 'a signed count never changes');
  END;
  CREATE TRIGGER stock_count_keeps_delete BEFORE DELETE ON stock_count WHEN OLD.state = 'signed' BEGIN
    SELECT RAISE(ABORT, 'a signed count never changes');
  END;
  `
