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

/** Where each order stands, outages, approvals, and what is shared with other stations. */
export const storeHub = `
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
  `
