/** One memory of the service, in place of what was seen and found. */
export const memory = `
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
  `
