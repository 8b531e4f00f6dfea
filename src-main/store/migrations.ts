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
