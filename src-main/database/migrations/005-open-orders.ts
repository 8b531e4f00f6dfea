/** Orders in front and on hold, and the list of orders. */
export const openOrders = `
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
  `
