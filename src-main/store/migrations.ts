import type { Database } from 'better-sqlite3'

/** The newest entry of an order, and the order's state, over the operations of its entries. */
const newestAndState = `max(one.seq) AS newest,
      CASE WHEN max(state = 'rejected' OR unsettled) THEN 'attention'
        WHEN max(state IN ('queued', 'sending', 'unknown')) THEN 'unsent'
        WHEN max(kind = 'void' AND state = 'accepted') THEN 'voided'
        WHEN max(state = 'accepted') THEN 'reported'
        ELSE 'withdrawn' END AS standing
    FROM sale_entry AS one JOIN operation ON operation.seq = one.seq`

/** Tells all entries of an order where it stands. Reads the order once, and changes only what is not so any more. */
const tellOrder = (order: string) => `
    UPDATE sale_entry SET order_last = newest, order_state = standing
    FROM (SELECT ${newestAndState} WHERE one.order_id = ${order})
    WHERE order_id = ${order} AND (order_last <> newest OR order_state <> standing)`

/** Whether an operation, with one of its keys, changes which items should be on the shelf. */
const concernsStock = (key: string) => `CASE
      WHEN kind IN ('complete', 'return', 'void', 'add-items', 'remove-item', 'restore-item') THEN ${key} GLOB 'tag:*'
      WHEN kind IN ('import', 'import-removal', 'remove-collection', 'restore-collection') THEN ${key} GLOB 'case:*' END`
const dueAgain = 'ON CONFLICT (key) DO UPDATE SET change = change + 1;'

/** The rows of a table that are of a signed count never change. `isSigned`: whether a row, OLD, is. */
const keepsSigned = (table: string, isSigned: string) =>
  (['UPDATE', 'DELETE'] as const)
    .map(
      (change) => `  CREATE TRIGGER ${table}_keeps_${change.toLowerCase()} BEFORE ${change} ON ${table}
  WHEN ${isSigned} BEGIN
    SELECT RAISE(ABORT, 'a signed count never changes');
  END;`,
    )
    .join('\n')
const ofSignedCount = `(SELECT state FROM stock_count WHERE seq = OLD.count) = 'signed'`
/** Of the finding that counts: other findings leave their differences behind. */
const inSignedFinding = `(SELECT state = 'signed' AND OLD.round <= round AND (OLD.gone IS NULL OR OLD.gone > round)
    FROM stock_count WHERE seq = OLD.count)`

/**
 * Numbered and never edited once released: a schema change is a new entry at the end. Each migration runs in its own
 * transaction, and `PRAGMA user_version` counts them.
 */
const migrations: readonly string[] = [
  `
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
  `,
  `
  -- What may be claimed, by when: with 100,000 waiting the next one is still found at once.
  DROP INDEX operation_claimable;
  CREATE INDEX operation_due ON operation (next_attempt_at) WHERE state IN ('queued', 'unknown') AND blockers = 0;
  -- The newest of what is over, behind however many that are not.
  CREATE INDEX operation_over ON operation (seq) WHERE state IN ('accepted', 'cancelled');
  `,
  `
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
  `,
  `
  -- What is being received. At most one delivery is not finished.
  CREATE TABLE delivery (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    started_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX delivery_open ON delivery (finished_at IS NULL) WHERE finished_at IS NULL;
  CREATE TABLE delivery_package (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery INTEGER NOT NULL REFERENCES delivery (seq),
    package_uid TEXT NOT NULL,
    UNIQUE (delivery, package_uid)
  ) STRICT;
  CREATE TABLE delivery_case (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery INTEGER NOT NULL REFERENCES delivery (seq),
    case_id TEXT NOT NULL,
    package_uid TEXT,
    -- A person took it off the list: kept, so that its package does not list it anew.
    dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1)),
    UNIQUE (delivery, case_id)
  ) STRICT;
  -- Imports that were saved while the delivery was under way, blind ones among them.
  CREATE TABLE delivery_operation (
    delivery INTEGER NOT NULL REFERENCES delivery (seq),
    operation_seq INTEGER NOT NULL REFERENCES operation (seq),
    PRIMARY KEY (delivery, operation_seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX delivery_operation_of ON delivery_operation (operation_seq);
  -- The history of receiving, by days, behind however many sales.
  CREATE INDEX operation_received ON operation (seq, kind, performed_at_raw, clock_offset)
    WHERE kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item');

  -- What the POS calls a product, by package, as a clerk last entered it.
  CREATE TABLE pos_mapping (
    product_id TEXT NOT NULL,
    package_uid TEXT NOT NULL,
    pos_product_id TEXT NOT NULL,
    pos_inventory_id TEXT NOT NULL,
    sku TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (product_id, package_uid)
  ) STRICT, WITHOUT ROWID;
  -- The POS's catalogue, as it was last loaded.
  CREATE TABLE catalogue_row (
    line INTEGER PRIMARY KEY,
    package_uid TEXT,
    product_name TEXT,
    pos_product_id TEXT NOT NULL,
    pos_inventory_id TEXT,
    sku TEXT
  ) STRICT;
  CREATE INDEX catalogue_package ON catalogue_row (package_uid);
  CREATE INDEX catalogue_product ON catalogue_row (product_name);
  CREATE INDEX catalogue_sku ON catalogue_row (sku);

  -- Counts: which items of which cases were scanned. What a case held is written down when the count starts.
  CREATE TABLE tag_count (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    delivery INTEGER REFERENCES delivery (seq),
    case_id TEXT,
    started_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX tag_count_open ON tag_count (finished_at IS NULL) WHERE finished_at IS NULL;
  CREATE TABLE tag_count_case (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    count INTEGER NOT NULL REFERENCES tag_count (seq),
    case_id TEXT NOT NULL,
    identifier TEXT NOT NULL,
    product_name TEXT,
    UNIQUE (count, case_id)
  ) STRICT;
  CREATE TABLE tag_count_expected (
    count INTEGER NOT NULL REFERENCES tag_count (seq),
    tag_id TEXT NOT NULL,
    case_id TEXT NOT NULL,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tag_count_scanned (
    count INTEGER NOT NULL REFERENCES tag_count (seq),
    tag_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tag_count_resolved (
    count INTEGER NOT NULL REFERENCES tag_count (seq),
    tag_id TEXT NOT NULL,
    how TEXT NOT NULL CHECK (how IN ('ignored', 'removed', 'added')),
    operation_id TEXT,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Orders being filled, in front or on hold: they outlive a power cut. One of each mode is in front.
  CREATE TABLE open_order (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    mode TEXT NOT NULL CHECK (mode IN ('sale', 'return')),
    order_id TEXT,
    budtender_id TEXT,
    customer_id TEXT,
    held_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX open_order_front ON open_order (mode) WHERE held_at IS NULL;
  CREATE TABLE open_order_item (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    open_order INTEGER NOT NULL REFERENCES open_order (id) ON DELETE CASCADE,
    tag_id TEXT NOT NULL,
    scanned_at INTEGER NOT NULL,
    flag TEXT,
    UNIQUE (open_order, tag_id)
  ) STRICT;
  CREATE INDEX open_order_item_tag ON open_order_item (tag_id);
  CREATE TABLE open_order_expected (
    open_order INTEGER NOT NULL REFERENCES open_order (id) ON DELETE CASCADE,
    line TEXT NOT NULL,
    expected INTEGER NOT NULL,
    PRIMARY KEY (open_order, line)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO open_order (mode, order_id) SELECT mode, order_id FROM cart;
  INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag)
    SELECT open_order.id, tag_id, scanned_at, flag FROM cart_item JOIN open_order USING (mode) ORDER BY position;
  DROP TABLE cart_item;
  DROP TABLE cart;
  -- What the list of orders needs of each sale, return and void without reading them all: made from the operations, by the
  -- database itself, so that it can't differ from them. When it was done, by the service's clock, in ms since 1970.
  CREATE TABLE sale_entry (
    seq INTEGER PRIMARY KEY REFERENCES operation (seq),
    order_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    budtender_id TEXT,
    -- The order, its items and what they are: to be searched.
    words TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sale_entry_order ON sale_entry (order_id);
  CREATE INDEX sale_entry_at ON sale_entry (at);
  -- What can't be read is no entry. The order of conditions is not ours to choose, hence the CASE.
  CREATE VIEW sale_entry_of AS
    SELECT seq, body ->> '$.orderId' AS order_id, performed_at_raw + clock_offset AS at, body ->> '$.budtenderId' AS budtender_id,
      concat_ws(' ', body ->> '$.orderId', (
        SELECT group_concat(concat_ws(' ', tag.value, CASE WHEN json_valid(facts) THEN facts ->> '$.productName' END), ' ')
        FROM json_each(body, '$.tagIds') AS tag LEFT JOIN seen_tag ON tag_id = tag.value)) AS words
    FROM (SELECT *, CASE WHEN json_valid(payload) THEN payload END AS body FROM operation)
    WHERE kind IN ('complete', 'return', 'void') AND body ->> '$.orderId' IS NOT NULL;
  INSERT INTO sale_entry SELECT * FROM sale_entry_of;
  CREATE TRIGGER sale_entry_made AFTER INSERT ON operation WHEN NEW.kind IN ('complete', 'return', 'void') BEGIN
    REPLACE INTO sale_entry SELECT * FROM sale_entry_of WHERE seq = NEW.seq;
  END;
  CREATE TRIGGER sale_entry_corrected AFTER UPDATE OF payload ON operation WHEN NEW.kind IN ('complete', 'return', 'void') BEGIN
    REPLACE INTO sale_entry SELECT * FROM sale_entry_of WHERE seq = NEW.seq;
  END;
  -- An item that was sold before anybody could be asked what it is.
  CREATE TRIGGER sale_entry_named AFTER INSERT ON seen_tag WHEN json_valid(NEW.facts) BEGIN
    UPDATE sale_entry SET words = concat_ws(' ', words, NEW.facts ->> '$.productName')
    WHERE seq IN (SELECT seq FROM operation_key WHERE key = 'tag:' || NEW.tag_id);
  END;
  `,
  `
  -- Who asked to be erased while an order or a report that is not settled named them, in the words in which it does (sealed).
  CREATE TABLE customer_erasure (customer_id TEXT PRIMARY KEY, asked_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- In the commit that settles the report, whichever code writes it.
  CREATE TRIGGER customer_erased AFTER UPDATE OF state ON operation
  WHEN NEW.state IN ('accepted', 'cancelled') AND NEW.kind IN ('complete', 'return', 'void')
    AND EXISTS (SELECT 1 FROM customer_erasure)
  BEGIN
    UPDATE operation SET payload = json_remove(payload, '$.customerId')
    WHERE seq = NEW.seq
      AND CASE WHEN json_valid(payload) THEN payload ->> '$.customerId' END IN (SELECT customer_id FROM customer_erasure);
  END;
  -- Corrections used to be written down with their customer.
  DROP TRIGGER journal_keeps_update;
  UPDATE journal SET detail = json_remove(detail, '$.customerId')
  WHERE CASE WHEN json_valid(detail) THEN json_type(detail, '$.customerId') END IS NOT NULL;
  CREATE TRIGGER journal_keeps_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  -- What led to the end of an operation may go 400 days after it was written; its last step never does.
  DROP TRIGGER journal_keeps_delete;
  CREATE TRIGGER journal_keeps_delete BEFORE DELETE ON journal
  WHEN NOT coalesce(
    OLD.at < (SELECT at FROM journal ORDER BY entry DESC LIMIT 1) - 34560000000
      AND (SELECT state FROM operation WHERE seq = OLD.operation_seq) IN ('accepted', 'cancelled')
      AND EXISTS (SELECT 1 FROM journal AS later WHERE later.operation_seq = OLD.operation_seq AND later.entry > OLD.entry), 0)
  BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  `,
  `
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
  `,
  `
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
  `,
  `
  -- What this station remembers of the service, for the time without a network: the newest answer about each thing, in up to
  -- two forms. 'facts' is what scans need (of an item, a case, or the cases of a package) and stays; 'view' is what Find
  -- showed, and the oldest of these go. The short columns come first, because long ones lie on pages of their own.
  CREATE TABLE memory (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    form TEXT NOT NULL CHECK (form IN ('facts', 'view')),
    -- Of a collection: what is printed on it.
    identifier TEXT,
    name TEXT,
    detail TEXT,
    -- When the service was asked, in ms since 1970.
    asked_at INTEGER NOT NULL,
    -- The other columns are NULL for facts. The case that names it, if it was not looked up itself.
    via TEXT,
    -- When a person last looked at it.
    shown_at INTEGER,
    -- Of the view, in bytes.
    size INTEGER,
    -- What a search compares, in lower case.
    words TEXT,
    -- JSON.
    content TEXT NOT NULL,
    PRIMARY KEY (kind, id, form)
  ) STRICT;
  -- Whatever can't be a row (an id that is missing) is no reason to refuse the database.
  INSERT OR IGNORE INTO memory (kind, id, form, identifier, name, detail, asked_at, content)
    SELECT 'collection', case_id, 'facts', identifier, CASE WHEN json_valid(facts) THEN nullif(facts ->> '$.name', '') END,
      nullif(identifier, case_id), seen_at, facts
    FROM seen_case ORDER BY seen_case.rowid;
  INSERT OR IGNORE INTO memory (kind, id, form, name, detail, asked_at, content)
    SELECT 'tag', tag_id, 'facts', CASE WHEN json_valid(facts) THEN nullif(facts ->> '$.productName', '') END,
      CASE WHEN json_valid(facts) THEN nullif(facts ->> '$.brandName', '') END, seen_at, facts
    FROM seen_tag;
  INSERT OR IGNORE INTO memory (kind, id, form, asked_at, content)
    SELECT 'package', package_uid, 'facts', seen_at, cases FROM seen_package ORDER BY seen_package.rowid;
  -- Only what the service said is kept of a view, and what it left out is called missing.
  INSERT OR IGNORE INTO memory (kind, id, form, identifier, name, detail, asked_at, via, shown_at, size, words, content)
    SELECT kind, id, 'view', identifier, name, detail, asked_at, via, shown_at, length(CAST(content AS BLOB)), words, content
    FROM (
      SELECT *, found_thing.rowid AS place, CASE WHEN CASE WHEN json_valid(view) THEN json_type(view, '$.gaps') END = 'array'
        THEN json_remove(json_set(view, '$.missing', view -> '$.gaps'), '$.gaps', '$.knowledge', '$.silence', '$.operations')
        ELSE view END AS content
      FROM found_thing)
    ORDER BY place;
  CREATE INDEX memory_identifier ON memory (kind, identifier) WHERE identifier IS NOT NULL;
  -- All that trimming reads.
  CREATE INDEX memory_view ON memory (shown_at, asked_at, size) WHERE size IS NOT NULL;

  DROP TRIGGER sale_entry_named;
  DROP VIEW sale_entry_of;
  DROP TABLE seen_case;
  DROP TABLE seen_tag;
  DROP TABLE seen_package;
  DROP TABLE found_thing;
  -- What can't be read is no entry. The order of conditions is not ours to choose, hence the CASE.
  CREATE VIEW sale_entry_of AS
    SELECT seq, body ->> '$.orderId' AS order_id, performed_at_raw + clock_offset AS at, body ->> '$.budtenderId' AS budtender_id,
      concat_ws(' ', body ->> '$.orderId', (
        SELECT group_concat(concat_ws(' ', tag.value, item.name), ' ')
        FROM json_each(body, '$.tagIds') AS tag
          LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts')) AS words
    FROM (SELECT *, CASE WHEN json_valid(payload) THEN payload END AS body FROM operation)
    WHERE kind IN ('complete', 'return', 'void') AND body ->> '$.orderId' IS NOT NULL;
  -- An item that was sold before the service could be asked what it is.
  CREATE TRIGGER sale_entry_named AFTER INSERT ON memory WHEN NEW.kind = 'tag' AND NEW.form = 'facts' BEGIN
    UPDATE sale_entry SET words = concat_ws(' ', words, NEW.name)
    WHERE seq IN (SELECT seq FROM operation_key WHERE key = 'tag:' || NEW.id);
  END;
  `,
  `
  -- Refused and unclear reports that a person has seen. No foreign key: a salvage may lose the operation.
  CREATE TABLE report_seen (seq INTEGER PRIMARY KEY) STRICT;
  INSERT INTO report_seen SELECT seq FROM operation WHERE state = 'rejected' OR unsettled = 1;
  -- What becomes of it next is news again.
  CREATE TRIGGER report_seen_over AFTER UPDATE OF state, unsettled ON operation
  WHEN (OLD.state = 'rejected') <> (NEW.state = 'rejected') OR OLD.unsettled <> NEW.unsettled BEGIN
    DELETE FROM report_seen WHERE seq = NEW.seq;
  END;
  -- When this station could not work with the service, for the closing report. Times in ms since 1970, by the service's clock.
  CREATE TABLE outage (
    began_at INTEGER PRIMARY KEY,
    -- When it was last known to last: its end, if Countertag was closed during it.
    seen_at INTEGER NOT NULL,
    -- NULL while it lasts.
    ended_at INTEGER,
    cause TEXT NOT NULL
  ) STRICT;
  -- What gates let pass, for the reports of a day and of a delivery.
  CREATE INDEX journal_permitted ON journal (at) WHERE what = 'permitted';
  -- Why a person ignores a difference.
  ALTER TABLE tag_count_resolved ADD COLUMN because TEXT;
  -- A count ends with its delivery, in one commit: otherwise scans of the next delivery would be counted in it.
  UPDATE tag_count SET finished_at = (SELECT finished_at FROM delivery WHERE seq = tag_count.delivery)
  WHERE finished_at IS NULL AND delivery IN (SELECT seq FROM delivery WHERE finished_at IS NOT NULL);
  CREATE TRIGGER tag_count_over AFTER UPDATE OF finished_at ON delivery WHEN NEW.finished_at IS NOT NULL BEGIN
    UPDATE tag_count SET finished_at = NEW.finished_at WHERE delivery = NEW.seq AND finished_at IS NULL;
  END;

  -- Find reads the newest cases, however many are remembered.
  CREATE INDEX memory_case ON memory (asked_at DESC) WHERE kind = 'collection' AND form = 'facts';
  -- The reports that name a customer, few among many. The expression is that of privacy/customers.ts.
  CREATE INDEX operation_customer ON operation (CAST(CASE WHEN json_valid(payload) THEN payload ->> '$.customerId' END AS TEXT))
    WHERE CAST(CASE WHEN json_valid(payload) THEN payload ->> '$.customerId' END AS TEXT) IS NOT NULL;

  -- What the list of orders and the closing report need, so that neither reads all operations: where the order of an entry
  -- stands, the newest entry of that order, which stands for it in the list, and what the entry's items are, as
  -- [name, brand, how many]. The database makes it in the commit that changes what it is made of.
  ALTER TABLE sale_entry ADD COLUMN order_last INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sale_entry ADD COLUMN order_state TEXT NOT NULL DEFAULT '';
  ALTER TABLE sale_entry ADD COLUMN products TEXT NOT NULL DEFAULT '[]';
  DROP TRIGGER sale_entry_made;
  DROP TRIGGER sale_entry_corrected;
  DROP TRIGGER sale_entry_named;
  DROP VIEW sale_entry_of;
  DROP INDEX sale_entry_at;
  CREATE VIEW sale_entry_of AS
    SELECT seq, body ->> '$.orderId' AS order_id, performed_at_raw + clock_offset AS at, body ->> '$.budtenderId' AS budtender_id,
      concat_ws(' ', body ->> '$.orderId', (
        SELECT group_concat(concat_ws(' ', tag.value, item.name), ' ')
        FROM json_each(body, '$.tagIds') AS tag
          LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts')) AS words,
      (SELECT json_group_array(json_array(name, brand, items)) FROM (
        SELECT item.name, item.detail AS brand, count(*) AS items
        FROM json_each(body, '$.tagIds') AS tag
          LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts'
        GROUP BY item.name, item.detail ORDER BY min(tag.key))) AS products
    FROM (SELECT *, CASE WHEN json_valid(payload) THEN payload END AS body FROM operation)
    WHERE kind IN ('complete', 'return', 'void') AND body ->> '$.orderId' IS NOT NULL;
  DELETE FROM sale_entry WHERE seq NOT IN (SELECT seq FROM operation);
  UPDATE sale_entry SET order_last = newest, order_state = standing
  FROM (SELECT one.order_id AS told, ${newestAndState} GROUP BY one.order_id) WHERE order_id = told;
  UPDATE sale_entry SET products = coalesce((SELECT products FROM sale_entry_of AS made WHERE made.seq = sale_entry.seq), '[]');
  CREATE INDEX sale_entry_day ON sale_entry (at, order_state, order_last);
  CREATE INDEX sale_entry_newest ON sale_entry (order_state, seq) WHERE seq = order_last;
  -- How many orders of all days stand where: counting half a million takes too long.
  CREATE TABLE sale_order_count (order_state TEXT PRIMARY KEY, orders INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO sale_order_count VALUES ('unsent', 0), ('attention', 0), ('reported', 0), ('voided', 0), ('withdrawn', 0);
  UPDATE sale_order_count SET orders = (
    SELECT count(*) FROM sale_entry WHERE seq = order_last AND sale_entry.order_state = sale_order_count.order_state);

  CREATE TRIGGER sale_entry_made AFTER INSERT ON operation WHEN NEW.kind IN ('complete', 'return', 'void') BEGIN
    INSERT INTO sale_entry (seq, order_id, at, budtender_id, words, products)
      SELECT seq, order_id, at, budtender_id, words, products FROM sale_entry_of WHERE seq = NEW.seq;
  END;
  CREATE TRIGGER sale_entry_corrected AFTER UPDATE OF payload ON operation WHEN NEW.kind IN ('complete', 'return', 'void') BEGIN
    INSERT INTO sale_entry (seq, order_id, at, budtender_id, words, products)
      SELECT seq, order_id, at, budtender_id, words, products FROM sale_entry_of WHERE seq = NEW.seq
      ON CONFLICT (seq) DO UPDATE SET order_id = excluded.order_id, at = excluded.at, budtender_id = excluded.budtender_id,
        words = excluded.words, products = excluded.products;
  END;
  CREATE TRIGGER sale_entry_gone AFTER DELETE ON operation BEGIN
    DELETE FROM sale_entry WHERE seq = OLD.seq;
  END;
  -- An item that was sold before the service could be asked what it is, or whose name has changed. Of the thousands of items
  -- of a delivery hardly one was sold: the others cost one look at an index.
  CREATE TRIGGER sale_entry_named AFTER INSERT ON memory
  WHEN NEW.kind = 'tag' AND NEW.form = 'facts' AND EXISTS (SELECT 1 FROM operation_key WHERE key = 'tag:' || NEW.id) BEGIN
    UPDATE sale_entry SET (words, products) = (SELECT words, products FROM sale_entry_of AS made WHERE made.seq = sale_entry.seq)
    WHERE seq IN (SELECT seq FROM operation_key WHERE key = 'tag:' || NEW.id);
  END;
  CREATE TRIGGER sale_entry_renamed AFTER UPDATE OF name, detail ON memory
  WHEN NEW.kind = 'tag' AND NEW.form = 'facts' AND (OLD.name IS NOT NEW.name OR OLD.detail IS NOT NEW.detail) BEGIN
    UPDATE sale_entry SET (words, products) = (SELECT words, products FROM sale_entry_of AS made WHERE made.seq = sale_entry.seq)
    WHERE seq IN (SELECT seq FROM operation_key WHERE key = 'tag:' || NEW.id);
  END;

  CREATE TRIGGER sale_order_begun AFTER INSERT ON sale_entry BEGIN${tellOrder('NEW.order_id')};
  END;
  CREATE TRIGGER sale_order_moved AFTER UPDATE OF order_id ON sale_entry WHEN OLD.order_id <> NEW.order_id BEGIN${tellOrder('OLD.order_id')};${tellOrder('NEW.order_id')};
  END;
  -- Being sent or not, an operation is unsent: claiming it changes nothing.
  CREATE TRIGGER sale_order_settled AFTER UPDATE OF state, unsettled ON operation
  WHEN NEW.kind IN ('complete', 'return', 'void') AND (OLD.unsettled <> NEW.unsettled OR
    iif(OLD.state IN ('accepted', 'rejected', 'cancelled'), OLD.state, '') <>
    iif(NEW.state IN ('accepted', 'rejected', 'cancelled'), NEW.state, '')) BEGIN${tellOrder('(SELECT order_id FROM sale_entry WHERE seq = NEW.seq)')};
  END;
  CREATE TRIGGER sale_order_left AFTER DELETE ON sale_entry BEGIN
    UPDATE sale_order_count SET orders = orders - 1 WHERE order_state = OLD.order_state AND OLD.seq = OLD.order_last;${tellOrder('OLD.order_id')};
  END;
  CREATE TRIGGER sale_order_counted AFTER UPDATE OF order_last, order_state ON sale_entry BEGIN
    UPDATE sale_order_count SET orders = orders - 1 WHERE order_state = OLD.order_state AND OLD.seq = OLD.order_last;
    UPDATE sale_order_count SET orders = orders + 1 WHERE order_state = NEW.order_state AND NEW.seq = NEW.order_last;
  END;

  -- What a hub may have to be told, by key of an operation (tag:, order:), and how often it has changed. Empty without a hub.
  CREATE TABLE hub_due (key TEXT PRIMARY KEY, change INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- What the hub said of the items in open sales: granted by a revision, or who holds it, as JSON.
  CREATE TABLE hub_claim (tag_id TEXT PRIMARY KEY, revision INTEGER, held_by TEXT) STRICT, WITHOUT ROWID;
  -- This station's orders on hold as the hub knows them, by the hub's id. Due if the last change was not told. is_asked: the
  -- hub may know it, and another station may have it. is_over: it isn't on hold here any more.
  CREATE TABLE hub_held (
    id TEXT PRIMARY KEY, open_order INTEGER NOT NULL, change INTEGER NOT NULL DEFAULT 1, told INTEGER NOT NULL DEFAULT 0,
    is_asked INTEGER NOT NULL DEFAULT 0, is_over INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX hub_held_order ON hub_held (open_order) WHERE is_over = 0;
  -- Orders of other stations that are resumed and saved here; the hub doesn't know it yet.
  CREATE TABLE hub_taken (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- The settings that all stations share: the revision that counts here, and whether a change was not told.
  CREATE TABLE hub_word (
    name TEXT PRIMARY KEY, revision INTEGER NOT NULL DEFAULT 0, change INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  -- What the POS calls a product, entered here and not told to the other stations yet.
  CREATE TABLE hub_pos_due (
    product_id TEXT NOT NULL, package_uid TEXT NOT NULL, change INTEGER NOT NULL, PRIMARY KEY (product_id, package_uid)
  ) STRICT, WITHOUT ROWID;
  -- The station that scanned an item of a count; NULL for this one.
  ALTER TABLE tag_count_scanned ADD COLUMN station TEXT;
  -- Counts that all stations share: up to where the hub's scans are read, and whether the last beginning or end was told.
  CREATE TABLE hub_count (
    count INTEGER PRIMARY KEY, mark TEXT, revision INTEGER NOT NULL DEFAULT 0, change INTEGER NOT NULL DEFAULT 1, told INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- Their items whose scan, or its undo, was not told.
  CREATE TABLE hub_count_due (
    count INTEGER NOT NULL, tag_id TEXT NOT NULL, change INTEGER NOT NULL, is_others INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (count, tag_id)
  ) STRICT, WITHOUT ROWID;
  -- Sales, returns and voids that the store's day may have in an older state, by seq of the operation.
  CREATE TABLE hub_day_due (seq INTEGER PRIMARY KEY, change INTEGER NOT NULL) STRICT;
  -- What another station and this one should both know of an item. The revision is of the claim that it is about.
  CREATE TABLE hub_notice (
    tag_id TEXT NOT NULL, revision INTEGER NOT NULL, station_id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
    is_seen INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tag_id, revision, station_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
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
  `,

  `
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
  `,

  `
  -- Signed counts that another station, apart from this one, signed too: that signature counts in the store. ended: JSON, as in
  -- stock_count.
  CREATE TABLE stock_count_signed_too (
    count INTEGER PRIMARY KEY REFERENCES stock_count (seq),
    ended TEXT NOT NULL
  ) STRICT;
  `,

  `
  -- A refused sale or return that was taken back into the cart needs attention until a later report of its kind has all its items.
  -- Before, nothing was kept of that; a later report that was withdrawn answers for nothing.
  UPDATE operation SET unsettled = 1
  WHERE kind IN ('complete', 'return') AND state = 'cancelled' AND note = 'reopened' AND dismissed_because IS NULL AND json_valid(payload)
    AND EXISTS (
      SELECT 1 FROM json_each(operation.payload, '$.tagIds') AS item
      WHERE NOT EXISTS (
        SELECT 1 FROM operation_key JOIN operation AS later ON later.seq = operation_key.seq
        WHERE operation_key.key = 'tag:' || item.value AND later.seq > operation.seq AND later.kind = operation.kind
          AND (later.state <> 'cancelled' OR later.note = 'reopened' OR later.dismissed_because IS NOT NULL)));
  `,
]

export const schemaVersion = migrations.length

/**
 * Migrates a database to the newest schema, or up to an earlier version. Throws if the database is from a newer
 * Countertag.
 */
export function migrate(db: Database, to = schemaVersion): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > schemaVersion) throw new Error(`schema ${version} is newer than ${schemaVersion}`)
  for (const [index, sql] of migrations.slice(0, to).entries()) {
    if (index < version) continue
    db.transaction(() => {
      db.exec(sql)
      db.pragma(`user_version = ${index + 1}`)
    }).immediate()
  }
}
