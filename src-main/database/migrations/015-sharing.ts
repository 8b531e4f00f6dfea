const shared = [
  ['counts', 'hub_count', 'count', 'tag_id'],
  ['shelf', 'hub_stock', 'count', 'tag_id'],
  ['deliveries', 'hub_delivery', 'delivery', 'key'],
] as const

/** One table for what the hub may lack, and one for lists that stations share, in place of one for each kind. */
export const sharing = `
  -- What the hub may lack, by topic (see sharing/watch.ts). list: the seq of a shared list, or 0. change: another number with each
  -- note. is_others: another station had entered what is gone, or nothing was changed here, but the hub lacks it.
  CREATE TABLE dirty_key (
    topic TEXT NOT NULL, list INTEGER NOT NULL, key TEXT NOT NULL, change INTEGER NOT NULL, is_others INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (topic, list, key)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO dirty_key (topic, list, key, change) SELECT 'claims', 0, key, change FROM hub_due;
  INSERT INTO dirty_key (topic, list, key, change) SELECT 'pos', 0, product_id || ' ' || package_uid, change FROM hub_pos_due;
  INSERT INTO dirty_key (topic, list, key, change) SELECT 'imports', 0, case_id || ' ' || product_id, change FROM hub_import_due;
  INSERT INTO dirty_key (topic, list, key, change) SELECT 'day', 0, seq, change FROM hub_day_due;
  -- Lists that all stations share: up to where the hub's entries are read, and whether the last beginning or end was pushed.
  CREATE TABLE shared_list (
    topic TEXT NOT NULL, list INTEGER NOT NULL, mark TEXT, revision INTEGER NOT NULL DEFAULT 0,
    change INTEGER NOT NULL DEFAULT 1, told INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (topic, list)
  ) STRICT, WITHOUT ROWID;
  ${shared
    .map(
      ([topic, table, of, key]) => `
  INSERT INTO dirty_key SELECT '${topic}', ${of}, ${key}, change, is_others FROM ${table}_due;
  INSERT INTO shared_list SELECT '${topic}', ${of}, mark, revision, change, told FROM ${table};`,
    )
    .join('')}
  -- The other station that began a delivery, and the one that finished it; NULL for this one.
  ALTER TABLE delivery ADD COLUMN begun_by TEXT;
  ALTER TABLE delivery ADD COLUMN finished_by TEXT;
  ALTER TABLE delivery ADD COLUMN finished_by_name TEXT;
  UPDATE delivery SET (begun_by, finished_by, finished_by_name) =
    (SELECT station, finished_by, finished_by_name FROM hub_delivery WHERE hub_delivery.delivery = delivery.seq)
    WHERE seq IN (SELECT delivery FROM hub_delivery);
  INSERT INTO dirty_key (topic, list, key, change) SELECT 'settings', 0, name, change FROM hub_word WHERE change <> told;
  -- Of each setting that stations share, which edit of it this station has; see sharing/topics/settings.ts.
  CREATE TABLE shared_setting (name TEXT PRIMARY KEY, edit INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO shared_setting SELECT name, revision FROM hub_word WHERE revision > 0;
  -- A station that was in a store is none that joins.
  INSERT INTO setting (name, value) SELECT 'hub.log.settings', '""' FROM hub_word WHERE revision > 0 LIMIT 1;
  UPDATE setting SET name = 'hub.log.pos', value = '""' WHERE name = 'hub.pos';
  DROP TABLE hub_word;
  DROP TABLE hub_due;
  DROP TABLE hub_pos_due;
  DROP TABLE hub_import_due;
  DROP TABLE hub_day_due;
  ${shared.map(([, table]) => `DROP TABLE ${table}_due; DROP TABLE ${table};`).join(' ')}
  `
