/**
 * The tables. Data that only passes through (texts, measures, findings) is stored as JSON in `body`, in the form of the
 * data file; data used by rules and joins has its own columns.
 */
export const schema = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE companies (uuid TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE dispensaries (
  uuid TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL,
  company_uuid TEXT NOT NULL REFERENCES companies
) STRICT;
CREATE TABLE brands (
  uuid TEXT PRIMARY KEY, company_uuid TEXT NOT NULL REFERENCES companies, body TEXT NOT NULL
) STRICT;
CREATE TABLE accounts (
  client_id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, product TEXT NOT NULL,
  company_uuid TEXT NOT NULL REFERENCES companies, brand_uuid TEXT REFERENCES brands,
  dispensary_uuid TEXT REFERENCES dispensaries
) STRICT;

CREATE TABLE products (uuid TEXT PRIMARY KEY, brand_uuid TEXT NOT NULL REFERENCES brands, body TEXT NOT NULL) STRICT;
CREATE TABLE batches (uuid TEXT PRIMARY KEY, brand_uuid TEXT NOT NULL REFERENCES brands, body TEXT NOT NULL) STRICT;
CREATE TABLE packaged_products (
  uuid TEXT PRIMARY KEY, batch_uuid TEXT NOT NULL REFERENCES batches,
  product_uuid TEXT NOT NULL REFERENCES products, body TEXT NOT NULL
) STRICT;
CREATE INDEX packaged_products_by_product ON packaged_products (product_uuid);
CREATE INDEX packaged_products_by_batch ON packaged_products (batch_uuid);
CREATE TABLE laboratories (uuid TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE digital_coas (
  uuid TEXT PRIMARY KEY, batch_uuid TEXT NOT NULL REFERENCES batches,
  laboratory_uuid TEXT NOT NULL REFERENCES laboratories, body TEXT NOT NULL
) STRICT;
CREATE TABLE assets (
  uuid TEXT PRIMARY KEY, company_uuid TEXT NOT NULL REFERENCES companies, asset_type TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
-- What was uploaded, by the name under which /media/ serves it. Pictures of the data file stay in their folder.
CREATE TABLE media (
  file TEXT PRIMARY KEY, mime_type TEXT NOT NULL, bytes BLOB NOT NULL, added_on TEXT NOT NULL
) STRICT;

CREATE TABLE tag_ids (
  uuid TEXT PRIMARY KEY, created TEXT NOT NULL, paired_on TEXT,
  packaged_product_uuid TEXT REFERENCES packaged_products,
  claimed_on TEXT, claimed_by_user_uuid TEXT, counterfeit_on TEXT
) STRICT;
CREATE INDEX tag_ids_by_packaged_product ON tag_ids (packaged_product_uuid);
CREATE TABLE collections (
  uuid TEXT PRIMARY KEY, identifier TEXT NOT NULL, collection_type TEXT NOT NULL,
  company_uuid TEXT NOT NULL REFERENCES companies, dispensary_uuid TEXT REFERENCES dispensaries,
  added_on TEXT NOT NULL, removed_on TEXT, body TEXT NOT NULL,
  -- The items that it holds, which every item in it says: kept by the triggers below, for counting a large case is slow.
  tag_ids_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX collections_by_identifier ON collections (identifier);
CREATE INDEX collections_removed ON collections (company_uuid) WHERE removed_on IS NOT NULL;
-- The rowid keeps the order in which the members came. A collection that is removed keeps its rows as they are: those
-- that it held when it was removed are those that it holds again when it is restored.
CREATE TABLE memberships (
  collection_uuid TEXT NOT NULL REFERENCES collections, tag_uuid TEXT NOT NULL REFERENCES tag_ids,
  added_on TEXT NOT NULL, added_by_company_uuid TEXT REFERENCES companies,
  removed_on TEXT, removed_by_company_uuid TEXT REFERENCES companies,
  PRIMARY KEY (collection_uuid, tag_uuid)
) STRICT;
CREATE INDEX memberships_in_order ON memberships (collection_uuid);
CREATE INDEX memberships_by_tag ON memberships (tag_uuid, collection_uuid, removed_on);
CREATE TRIGGER membership_added AFTER INSERT ON memberships WHEN new.removed_on IS NULL BEGIN
  UPDATE collections SET tag_ids_count = tag_ids_count + 1 WHERE uuid = new.collection_uuid;
END;
CREATE TRIGGER membership_ended AFTER UPDATE OF removed_on ON memberships
WHEN old.removed_on IS NULL AND new.removed_on IS NOT NULL BEGIN
  UPDATE collections SET tag_ids_count = tag_ids_count - 1 WHERE uuid = new.collection_uuid;
END;
CREATE TRIGGER membership_restored AFTER UPDATE OF removed_on ON memberships
WHEN old.removed_on IS NOT NULL AND new.removed_on IS NULL BEGIN
  UPDATE collections SET tag_ids_count = tag_ids_count + 1 WHERE uuid = new.collection_uuid;
END;
CREATE TRIGGER membership_deleted AFTER DELETE ON memberships WHEN old.removed_on IS NULL BEGIN
  UPDATE collections SET tag_ids_count = tag_ids_count - 1 WHERE uuid = old.collection_uuid;
END;

-- One dispensary at a time holds a packaged product of a case, and an item: two keys say so.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY, case_uuid TEXT NOT NULL REFERENCES collections,
  packaged_product_uuid TEXT NOT NULL REFERENCES packaged_products,
  dispensary_uuid TEXT NOT NULL REFERENCES dispensaries,
  package_uid TEXT NOT NULL, pos_product_id TEXT NOT NULL, pos_inventory_id TEXT NOT NULL, imported_on TEXT NOT NULL,
  UNIQUE (case_uuid, packaged_product_uuid)
) STRICT;
CREATE INDEX imports_by_package ON imports (package_uid);
CREATE TABLE import_items (
  tag_uuid TEXT PRIMARY KEY REFERENCES tag_ids, import_id INTEGER NOT NULL REFERENCES imports ON DELETE CASCADE
) STRICT;
CREATE TABLE pos_packages (
  dispensary_uuid TEXT NOT NULL REFERENCES dispensaries, package_uid TEXT NOT NULL,
  inventory_collection_uuid TEXT NOT NULL REFERENCES collections, updated_on TEXT NOT NULL,
  PRIMARY KEY (dispensary_uuid, package_uid)
) STRICT;
CREATE TABLE catalog_products (
  dispensary_uuid TEXT NOT NULL REFERENCES dispensaries, pos_product_id TEXT NOT NULL,
  product_uuid TEXT NOT NULL REFERENCES products, sku TEXT, updated_on TEXT NOT NULL,
  PRIMARY KEY (dispensary_uuid, pos_product_id)
) STRICT;
CREATE TABLE inventory_packages (
  dispensary_uuid TEXT NOT NULL REFERENCES dispensaries, pos_inventory_id TEXT NOT NULL,
  package_uid TEXT NOT NULL, updated_on TEXT NOT NULL,
  PRIMARY KEY (dispensary_uuid, pos_inventory_id)
) STRICT;

CREATE TABLE orders (
  dispensary_uuid TEXT NOT NULL REFERENCES dispensaries, order_id TEXT NOT NULL, voided_at TEXT,
  PRIMARY KEY (dispensary_uuid, order_id)
) STRICT;
CREATE TABLE order_items (
  dispensary_uuid TEXT NOT NULL, order_id TEXT NOT NULL, tag_uuid TEXT NOT NULL REFERENCES tag_ids,
  sold_at TEXT NOT NULL, freed_at TEXT,
  PRIMARY KEY (dispensary_uuid, order_id, tag_uuid),
  FOREIGN KEY (dispensary_uuid, order_id) REFERENCES orders
) STRICT;
-- An item is in one customer's hands at a time, whatever the code above it does.
CREATE UNIQUE INDEX sold_once ON order_items (tag_uuid) WHERE freed_at IS NULL;
CREATE TABLE transactions (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  dispensary_uuid TEXT NOT NULL REFERENCES dispensaries, order_id TEXT NOT NULL, items TEXT NOT NULL,
  performed_at TEXT NOT NULL, accepted_at TEXT NOT NULL, has_customer INTEGER NOT NULL
) STRICT;
`
