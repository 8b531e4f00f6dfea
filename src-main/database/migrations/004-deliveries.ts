/** Deliveries, counts of cases, and what the POS calls products. */
export const deliveries = `
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
  `
