import { z } from 'zod'
import type { HubTrouble } from '../../../src-shared/ipc/contract/hub'
import type { Query } from './connections'

/**
 * The hub's tables, numbered and never edited once released. The first station makes them, later versions add to them.
 * Everything is in the schema `countertag`: one database is one store.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE countertag.store (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    -- Another one for a hub that was made anew.
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    -- Which service and dispensary the store belongs to, as a hash.
    mark text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE countertag.station (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    -- What it says of itself, for the Store screen.
    says jsonb NOT NULL DEFAULT '{}'
  );
  CREATE UNIQUE INDEX station_name ON countertag.station (lower(name));

  -- What stations should read again: for those that missed the notification.
  CREATE TABLE countertag.news (topic text PRIMARY KEY, revision bigint NOT NULL);
  CREATE FUNCTION countertag.tell(about text) RETURNS void LANGUAGE sql SET search_path = countertag AS $$
    INSERT INTO news AS one VALUES (about, 1) ON CONFLICT (topic) DO UPDATE SET revision = one.revision + 1;
    SELECT pg_notify('countertag', about);
  $$;

  -- Which order of which station an item is in. 'returned': it came back from a sale, and may be claimed.
  CREATE SEQUENCE countertag.claim_revision;
  CREATE TABLE countertag.claim (
    tag text PRIMARY KEY,
    station uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('cart', 'held', 'sale', 'returned')),
    order_id text,
    -- Of a sale: when it was made, in ms since 1970 by the service's clock.
    at bigint NOT NULL DEFAULT 0,
    -- When the item came back from a sale last: a sale from before, told later, is over.
    back_at bigint NOT NULL DEFAULT 0,
    since timestamptz NOT NULL DEFAULT now(),
    -- Another one with each grant: what was sent before the last grant has no effect after it.
    revision bigint NOT NULL DEFAULT nextval('countertag.claim_revision')
  );
  CREATE INDEX claim_of ON countertag.claim (station, kind);
  CREATE INDEX claim_sold ON countertag.claim (station, since) WHERE kind = 'sale';
  CREATE INDEX claim_order ON countertag.claim (order_id) WHERE kind = 'sale';
  -- Orders that were voided: their sales may be told later.
  CREATE TABLE countertag.voided_order (order_id text PRIMARY KEY, at bigint NOT NULL, noted_at timestamptz NOT NULL DEFAULT now());

  -- What a station should know of an item, until it has read it. In the words of the station that tells it.
  CREATE TABLE countertag.notice (
    station uuid NOT NULL,
    tag text NOT NULL,
    revision bigint NOT NULL,
    what text NOT NULL,
    from_station uuid NOT NULL,
    order_id text,
    because text,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (station, tag, revision, from_station)
  );

  -- Orders on hold, for any station. A station that takes one names itself first, and removes the row once it has the order.
  CREATE TABLE countertag.held_order (
    id uuid PRIMARY KEY,
    station uuid NOT NULL,
    held_at timestamptz NOT NULL DEFAULT now(),
    tags text[] NOT NULL,
    body jsonb NOT NULL,
    -- Sealed with the store's key, which is never in the database.
    customer text,
    taken_by uuid,
    taken_at timestamptz,
    -- The taker has saved it, or it isn't on hold any more: kept for a while, so that no station mistakes it for lost.
    is_done boolean NOT NULL DEFAULT false
  );

  -- Settings that all stations share: the newest edit counts.
  CREATE TABLE countertag.word (
    name text PRIMARY KEY,
    value jsonb NOT NULL,
    revision bigint NOT NULL,
    station uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  );

  -- What the POS calls a product in a package: the newest entry of any station. Revisions are those of the news 'pos'.
  CREATE TABLE countertag.pos_id (
    product text NOT NULL,
    package text NOT NULL,
    pos_product_id text NOT NULL,
    pos_inventory_id text NOT NULL,
    sku text,
    -- When it was entered, in ms since 1970.
    at bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (product, package)
  );
  CREATE INDEX pos_id_revision ON countertag.pos_id (revision);

  -- Counts of what was received. A scan is one row, whichever station made it; its revision grows with the count's.
  CREATE SEQUENCE countertag.count_turn;
  CREATE TABLE countertag.shared_count (
    id uuid PRIMARY KEY,
    -- Another one for a count that was lost and told again.
    mark uuid NOT NULL DEFAULT gen_random_uuid(),
    station uuid NOT NULL,
    station_name text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    body jsonb NOT NULL,
    case_ids text[] NOT NULL,
    name text,
    total int NOT NULL,
    revision bigint NOT NULL DEFAULT 0,
    -- The station that settles the differences.
    settled_by uuid
  );
  CREATE TABLE countertag.count_scan (
    count uuid NOT NULL REFERENCES countertag.shared_count (id) ON DELETE CASCADE,
    tag text NOT NULL,
    station uuid NOT NULL,
    station_name text NOT NULL,
    -- In ms since 1970.
    at bigint NOT NULL,
    is_gone boolean NOT NULL,
    turn bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (count, tag)
  );
  CREATE INDEX count_scan_revision ON countertag.count_scan (count, revision);

  -- The store's day: sales, returns and voids of every station in brief. What was told by a lower turn has no effect any more.
  CREATE SEQUENCE countertag.day_turn;
  CREATE TABLE countertag.day_entry (
    station uuid NOT NULL,
    operation text NOT NULL,
    station_name text NOT NULL,
    -- In ms since 1970, by the service's clock.
    at bigint NOT NULL,
    digest text NOT NULL,
    body jsonb NOT NULL,
    turn bigint NOT NULL,
    PRIMARY KEY (station, operation)
  );
  CREATE INDEX day_entry_at ON countertag.day_entry (at);
  -- A station asks the others how a day stands with them; each answers once it has told what it had to tell.
  CREATE TABLE countertag.day_question (day text PRIMARY KEY, number bigint NOT NULL, at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE countertag.day_answer (
    station uuid NOT NULL,
    day text NOT NULL,
    number bigint NOT NULL,
    standing jsonb NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (station, day)
  );
  CREATE TABLE countertag.day_closed (
    day text PRIMARY KEY,
    station uuid NOT NULL,
    station_name text NOT NULL,
    -- Of the entries that were closed.
    mark text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  );
  `,
  `
  ALTER TABLE countertag.shared_count
    -- Its scans that stand, kept by the triggers below: counting them anew at each news is too much work with 50,000 items.
    ADD COLUMN scanned int NOT NULL DEFAULT 0,
    -- The case of a count of one case. Two stations that begin it in the same moment have one count.
    ADD COLUMN open_case text,
    -- The turn of its last finish or reopening: what was told by a lower one has no effect any more.
    ADD COLUMN end_turn bigint NOT NULL DEFAULT 0;
  -- The stations that count: one that isn't heard may have scans that it has not told.
  CREATE TABLE countertag.count_station (
    count uuid NOT NULL REFERENCES countertag.shared_count (id) ON DELETE CASCADE,
    station uuid NOT NULL,
    PRIMARY KEY (count, station)
  );
  INSERT INTO countertag.count_station
    SELECT id, station FROM countertag.shared_count UNION SELECT count, station FROM countertag.count_scan;
  CREATE UNIQUE INDEX shared_count_open_case ON countertag.shared_count (open_case) WHERE finished_at IS NULL;
  UPDATE countertag.shared_count AS one SET scanned =
    (SELECT count(*) FROM countertag.count_scan WHERE count = one.id AND NOT is_gone);
  -- 'scanned' of the table that the trigger names, a count for each id that its scans have in 'count'.
  CREATE FUNCTION countertag.sum_scans() RETURNS trigger LANGUAGE plpgsql SET search_path = countertag AS $$
    DECLARE changes text := CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT count, CASE WHEN is_gone THEN 0 ELSE 1 END AS by FROM now_there'
      ELSE 'SELECT count, CASE WHEN is_gone THEN 0 ELSE 1 END AS by FROM now_there
        UNION ALL SELECT count, CASE WHEN is_gone THEN 0 ELSE -1 END FROM there_before' END;
    BEGIN
      EXECUTE format(
        'UPDATE %I SET scanned = scanned + change.by
        FROM (SELECT count, sum(by) AS by FROM (%s) AS row GROUP BY count) AS change WHERE id = change.count AND change.by <> 0',
        TG_ARGV[0], changes);
      RETURN NULL;
    END $$;
  CREATE TRIGGER scans_added AFTER INSERT ON countertag.count_scan
    REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION countertag.sum_scans('shared_count');
  CREATE TRIGGER scans_changed AFTER UPDATE ON countertag.count_scan
    REFERENCING OLD TABLE AS there_before NEW TABLE AS now_there
    FOR EACH STATEMENT EXECUTE FUNCTION countertag.sum_scans('shared_count');
  `,
  `
  -- Counts and deliveries are read alike, but only a delivery is merged into another one.
  ALTER TABLE countertag.shared_count ADD COLUMN merged_into uuid;

  -- Deliveries that several stations receive: each package and case is one row, whichever station listed it first.
  CREATE SEQUENCE countertag.delivery_turn;
  CREATE TABLE countertag.shared_delivery (
    id uuid PRIMARY KEY,
    mark uuid NOT NULL DEFAULT gen_random_uuid(),
    station uuid NOT NULL,
    station_name text NOT NULL,
    -- In ms since 1970, by the clock of its station.
    started_at bigint NOT NULL,
    told_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    -- The station that finished it, as JSON.
    ended text,
    end_turn bigint NOT NULL DEFAULT 0,
    merged_into uuid,
    revision bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE countertag.delivery_entry (
    delivery uuid NOT NULL REFERENCES countertag.shared_delivery (id) ON DELETE CASCADE,
    -- 'package …' or 'case …', and the package of a case.
    key text NOT NULL,
    value text,
    station uuid NOT NULL,
    station_name text NOT NULL,
    at bigint NOT NULL,
    is_gone boolean NOT NULL,
    turn bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (delivery, key)
  );
  -- The stations that receive it: one that isn't heard may have listed what it has not told.
  CREATE TABLE countertag.delivery_station (
    delivery uuid NOT NULL REFERENCES countertag.shared_delivery (id) ON DELETE CASCADE,
    station uuid NOT NULL,
    PRIMARY KEY (delivery, station)
  );
  CREATE INDEX delivery_entry_revision ON countertag.delivery_entry (delivery, revision);
  CREATE INDEX delivery_entry_key ON countertag.delivery_entry (key);
  -- Makes a delivery a part of another one, with all that stands in it: a station that is off may have listed it. Returns whether
  -- the other one is there, open and no part of another one. Locks first, and reads in later statements, which see what others
  -- committed meanwhile: of two deliveries that are merged into each other at the same time, one becomes the other.
  CREATE FUNCTION countertag.merge_delivery(part uuid, target uuid, its_station uuid, its_station_name text) RETURNS boolean
  LANGUAGE plpgsql SET search_path = countertag AS $$
    DECLARE
      begun bigint;
      merged bigint;
    BEGIN
      PERFORM FROM shared_delivery WHERE id IN (part, target) ORDER BY id FOR UPDATE;
      SELECT started_at INTO begun FROM shared_delivery
      WHERE id = target AND id <> part AND finished_at IS NULL AND merged_into IS NULL;
      IF NOT FOUND THEN RETURN false; END IF;
      -- The part may be shared later than it is merged: it is never open.
      INSERT INTO shared_delivery AS known (id, station, station_name, started_at, finished_at, merged_into)
      VALUES (part, its_station, its_station_name, begun, now(), target)
      ON CONFLICT (id) DO UPDATE SET revision = known.revision + 1, finished_at = now(), merged_into = target
      WHERE known.merged_into IS NULL;
      IF NOT FOUND THEN RETURN true; END IF;
      UPDATE shared_delivery SET revision = revision + 1 WHERE id = target RETURNING revision INTO merged;
      INSERT INTO delivery_entry (delivery, key, value, station, station_name, at, is_gone, turn, revision)
      SELECT target, key, value, station, station_name, at, is_gone, turn, merged
      FROM delivery_entry WHERE delivery = part AND NOT is_gone ORDER BY key
      ON CONFLICT DO NOTHING;
      INSERT INTO delivery_station SELECT target, station FROM delivery_station WHERE delivery = part
      UNION SELECT target, its_station ON CONFLICT DO NOTHING;
      PERFORM tell('deliveries');
      RETURN true;
    END $$;

  -- Counts of the shelf that several stations make. A scan's value is what its station knew of the item at that moment.
  CREATE SEQUENCE countertag.shelf_turn;
  CREATE TABLE countertag.shared_shelf (
    id uuid PRIMARY KEY,
    mark uuid NOT NULL DEFAULT gen_random_uuid(),
    station uuid NOT NULL,
    station_name text NOT NULL,
    told_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    end_turn bigint NOT NULL DEFAULT 0,
    -- What the others should know of its end, as JSON of the station that finished it. is_over: signed or given up.
    ended text,
    is_over boolean NOT NULL DEFAULT false,
    is_recount boolean NOT NULL,
    merged_into uuid,
    -- JSON: what is counted.
    body text NOT NULL,
    -- Its scans that stand, kept by the triggers below.
    scanned int NOT NULL DEFAULT 0,
    revision bigint NOT NULL DEFAULT 0
  );
  CREATE TABLE countertag.shelf_scan (
    count uuid NOT NULL REFERENCES countertag.shared_shelf (id) ON DELETE CASCADE,
    tag text NOT NULL,
    value text,
    station uuid NOT NULL,
    station_name text NOT NULL,
    -- In ms since 1970.
    at bigint NOT NULL,
    is_gone boolean NOT NULL,
    turn bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (count, tag)
  );
  CREATE INDEX shelf_scan_revision ON countertag.shelf_scan (count, revision);
  CREATE TRIGGER scans_added AFTER INSERT ON countertag.shelf_scan
    REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION countertag.sum_scans('shared_shelf');
  CREATE TRIGGER scans_changed AFTER UPDATE ON countertag.shelf_scan
    REFERENCING OLD TABLE AS there_before NEW TABLE AS now_there
    FOR EACH STATEMENT EXECUTE FUNCTION countertag.sum_scans('shared_shelf');
  -- As count_station.
  CREATE TABLE countertag.shelf_station (
    count uuid NOT NULL REFERENCES countertag.shared_shelf (id) ON DELETE CASCADE,
    station uuid NOT NULL,
    PRIMARY KEY (count, station)
  );

  -- Which station imports, or has imported, which product of a case; '' for any of them. Revisions are those of the news 'imports'.
  CREATE SEQUENCE countertag.import_turn;
  CREATE TABLE countertag.case_import (
    case_id text NOT NULL,
    product text NOT NULL,
    station uuid NOT NULL,
    station_name text NOT NULL,
    state text NOT NULL CHECK (state IN ('importing', 'imported', 'over')),
    at bigint NOT NULL,
    told_at timestamptz NOT NULL DEFAULT now(),
    turn bigint NOT NULL,
    revision bigint NOT NULL,
    -- While importing: the accepted import of another station that the row was before. It is that again if this one is refused.
    was_station uuid,
    was_station_name text,
    was_at bigint,
    was_turn bigint,
    PRIMARY KEY (case_id, product)
  );
  CREATE INDEX case_import_revision ON countertag.case_import (revision);
  -- Takes imports for a station; returns those that another one holds, with its name. A blind import holds every product of its
  -- case, and is held up by each: the row of the news, which every change of imports locks, is locked first, and the imports are
  -- read in later statements, which see what others committed meanwhile. A station that was not heard for ten minutes holds none.
  CREATE FUNCTION countertag.take_imports(its_station uuid, its_station_name text, case_ids text[], products text[])
  RETURNS TABLE (case_id text, product text, station_name text) LANGUAGE plpgsql SET search_path = countertag AS $$
    #variable_conflict use_column
    DECLARE taken bigint;
    BEGIN
      INSERT INTO news AS one VALUES ('imports', 1)
      ON CONFLICT (topic) DO UPDATE SET revision = one.revision + 1 RETURNING revision INTO taken;
      INSERT INTO case_import AS known (case_id, product, station, station_name, state, at, turn, revision)
      SELECT case_id, product, its_station, its_station_name, 'importing', extract(epoch FROM now()) * 1000,
        nextval('import_turn'), taken
      FROM (SELECT DISTINCT * FROM unnest(case_ids, products) AS each (case_id, product)) AS wish
      WHERE NOT EXISTS (
        SELECT FROM case_import AS other JOIN station ON station.id = other.station
        WHERE other.case_id = wish.case_id AND (other.product = wish.product OR '' IN (other.product, wish.product))
          AND other.state = 'importing' AND other.station <> its_station AND seen_at > now() - interval '10 minutes')
      ORDER BY case_id, product
      ON CONFLICT (case_id, product) DO UPDATE SET station = excluded.station, station_name = excluded.station_name,
        state = excluded.state, at = excluded.at, told_at = now(), turn = excluded.turn, revision = excluded.revision,
        (was_station, was_station_name, was_at, was_turn) = (
          SELECT known.station, known.station_name, known.at, known.turn
          WHERE known.state = 'imported' AND known.station <> its_station
          UNION ALL SELECT known.was_station, known.was_station_name, known.was_at, known.was_turn
          WHERE known.state = 'importing' AND known.was_station <> its_station);
      IF FOUND THEN PERFORM pg_notify('countertag', 'imports'); END IF;
      RETURN QUERY
      SELECT DISTINCT ON (wish.case_id, wish.product) wish.case_id, wish.product, other.station_name
      FROM unnest(case_ids, products) AS wish (case_id, product) JOIN case_import AS other
        ON other.case_id = wish.case_id AND (other.product = wish.product OR '' IN (other.product, wish.product))
      LEFT JOIN station ON station.id = other.station
      WHERE other.state = 'importing' AND other.station <> its_station AND NOT EXISTS (
        SELECT FROM case_import AS own
        WHERE own.case_id = wish.case_id AND own.product = wish.product AND own.revision = taken)
      ORDER BY wish.case_id, wish.product, seen_at DESC NULLS LAST;
    END $$;
  `,
  `
  -- What a station of version 0.2 writes during this step and the next one would be lost: it waits. The tables of both are locked
  -- at once, claims before stations, as that version's statements do.
  LOCK TABLE countertag.claim, countertag.word, countertag.pos_id IN ACCESS EXCLUSIVE MODE;
  -- The identity of the store's key (see store-mark.ts), which tells stores of one dispensary apart. The first station writes it.
  ALTER TABLE countertag.store ADD COLUMN key_id text;
  -- Whose older data, or copy, holds what this row's claims are of: a station of another computer, or of the same one before.
  ALTER TABLE countertag.station ADD COLUMN copy_of uuid;
  CREATE FUNCTION countertag.copy_of(its_station uuid) RETURNS uuid LANGUAGE plpgsql SET search_path = countertag AS $$
    DECLARE its_copy uuid := md5('copy of ' || its_station)::uuid;
    BEGIN
      INSERT INTO station (id, name, version, seen_at, copy_of)
      SELECT its_copy, left(name, 30) || ' (copy)', version, now() - interval '2 minutes', id FROM station WHERE id = its_station
      ON CONFLICT DO NOTHING;
      RETURN its_copy;
    END $$;

  -- One process at a time works as a station. id: another one with each start of the app. backends: its connections, by number
  -- and start. The hub's clock decides: heard_at is the last heartbeat, or -infinity after an orderly end.
  CREATE TABLE countertag.session (
    station uuid PRIMARY KEY,
    id uuid NOT NULL,
    backends text[] NOT NULL,
    heard_at timestamptz NOT NULL DEFAULT now(),
    -- When another process wanted to be this station last.
    rival_at timestamptz,
    -- Raised by each heartbeat and after each claim. The station remembers it: a lower one shows that the hub lost what came later.
    turn bigint NOT NULL DEFAULT 0
  );
  CREATE FUNCTION countertag.is_connected(backend text) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid::text = split_part(backend, ' ', 1)
      -- Of another role, only the number is shown.
      AND coalesce(extract(epoch FROM backend_start)::text = split_part(backend, ' ', 2), true))
  $$;
  -- Returns 'begun', 'in-use', or 'copied' if the last session isn't one of those that this station's data knows: then another copy
  -- of the data was here in between, and may still hold what its orders hold.
  CREATE FUNCTION countertag.begin_session(its_station uuid, its_id uuid, known uuid[], its_backends text[]) RETURNS text
  LANGUAGE plpgsql SET search_path = countertag AS $$
    DECLARE
      before session%ROWTYPE;
      connected text[];
      its_copy uuid;
      is_heard boolean;
    BEGIN
      INSERT INTO session (station, id, backends) VALUES (its_station, its_id, its_backends) ON CONFLICT DO NOTHING;
      IF FOUND THEN RETURN 'begun'; END IF;
      SELECT * INTO before FROM session WHERE station = its_station FOR UPDATE;
      connected := ARRAY (SELECT one FROM unnest(before.backends) AS one WHERE is_connected(one));
      IF before.id = its_id THEN
        UPDATE session SET backends = connected || its_backends, heard_at = now() WHERE station = its_station;
        RETURN 'begun';
      END IF;
      -- While PostgreSQL was off, none was heard: each gets its time to come back.
      is_heard := before.heard_at > '-infinity'
        AND greatest(before.heard_at, pg_postmaster_start_time()) > now() - interval '20 seconds';
      -- A process that was killed knows its last session, and need not wait. Of another process, a cut may be short.
      IF is_heard AND (cardinality(connected) > 0 OR NOT before.id = ANY (known)) THEN
        UPDATE session SET rival_at = now() WHERE station = its_station;
        RETURN 'in-use';
      END IF;
      IF cardinality(connected) > 0 THEN
        -- What the other process has asked must not be done after this.
        IF NOT (SELECT bool_and(pg_terminate_backend(split_part(one, ' ', 1)::int, 500)) FROM unnest(connected) AS one) THEN
          RETURN 'in-use';
        END IF;
      END IF;
      UPDATE session SET id = its_id, backends = its_backends, heard_at = now(), rival_at = NULL WHERE station = its_station;
      IF before.id = ANY (known) THEN RETURN 'begun'; END IF;
      its_copy := copy_of(its_station);
      -- Orders are locked before claims, and each in one order, as everywhere. What a sale took is from the next migration, before which
      -- no station works here.
      PERFORM FROM held_order WHERE station = its_station AND taken_by IS NULL AND NOT is_done ORDER BY id FOR UPDATE;
      PERFORM FROM claim
      WHERE (station = its_station AND kind IN ('cart', 'held')) OR (displaced ->> 'station')::uuid = its_station
      ORDER BY tag FOR UPDATE;
      UPDATE held_order SET station = its_copy WHERE station = its_station AND taken_by IS NULL AND NOT is_done;
      UPDATE claim SET station = its_copy, revision = nextval('claim_revision')
      WHERE station = its_station AND kind IN ('cart', 'held');
      UPDATE claim SET displaced = displaced || jsonb_build_object('station', its_copy)
      WHERE (displaced ->> 'station')::uuid = its_station;
      PERFORM tell('claims'), tell('held'), tell('stations');
      RETURN 'copied';
    EXCEPTION WHEN insufficient_privilege THEN
      RETURN 'in-use';
    END $$;

  -- The stations that a hub made anew or restored doesn't know all of, until each has announced what it holds.
  CREATE TABLE countertag.awaited (station uuid PRIMARY KEY, name text NOT NULL, is_here boolean NOT NULL);
  -- Called by a station that knows more than the hub: another id, or newer revisions. A hub that was restored gets another id, so
  -- that each station sees it.
  CREATE FUNCTION countertag.await_stations(known_id uuid, ids uuid[], names text[]) RETURNS void
  LANGUAGE plpgsql SET search_path = countertag AS $$
    BEGIN
      UPDATE store SET id = gen_random_uuid() WHERE id = known_id;
      IF FOUND THEN DELETE FROM awaited; END IF;
      INSERT INTO awaited SELECT station, name, false FROM unnest(ids, names) AS one (station, name) ON CONFLICT DO NOTHING;
      PERFORM tell('stations');
    END $$;
  CREATE FUNCTION countertag.awaited_by(its_station uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY (SELECT name FROM countertag.awaited WHERE NOT is_here AND station <> its_station ORDER BY name)
  $$;
  `,
  `
  -- One sequence of epochs for all that is pushed, above those that the one of each kind has given, also in this moment.
  CREATE SEQUENCE countertag.turn;
  SELECT setval('countertag.turn', greatest(
    (SELECT last_value FROM countertag.count_turn), (SELECT last_value FROM countertag.day_turn),
    (SELECT last_value FROM countertag.delivery_turn), (SELECT last_value FROM countertag.import_turn),
    (SELECT last_value FROM countertag.shelf_turn)) + 1000);
  DROP SEQUENCE countertag.count_turn, countertag.day_turn, countertag.delivery_turn, countertag.import_turn, countertag.shelf_turn;
  DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('countertag.take_imports'::regproc), 'import_turn', 'turn');
  END $$;
  -- What all stations have alike, one record a thing, as JSON of the station that changed it last. Revisions are those of the topic's
  -- news, taken under its lock, so that they are seen in their order.
  CREATE TABLE countertag.record (
    topic text NOT NULL,
    key text NOT NULL,
    body text NOT NULL,
    station uuid NOT NULL,
    told_at timestamptz NOT NULL DEFAULT now(),
    turn bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (topic, key)
  );
  CREATE INDEX record_revision ON countertag.record (topic, revision);
  INSERT INTO countertag.news SELECT 'settings', 1 FROM countertag.word LIMIT 1;
  INSERT INTO countertag.record (topic, key, body, station, told_at, turn, revision)
  SELECT 'settings', name, json_build_object('value', value, 'edit', revision), station, at, 0, 1 FROM countertag.word;
  DELETE FROM countertag.news WHERE topic = 'words';
  -- Which station entered these isn't known.
  INSERT INTO countertag.record (topic, key, body, station, turn, revision)
  SELECT 'pos', product || ' ' || package, json_build_object('productId', product, 'packageUid', package,
    'posProductId', pos_product_id, 'posInventoryId', pos_inventory_id, 'sku', sku, 'at', at),
    '00000000-0000-0000-0000-000000000000', 0, revision
  FROM countertag.pos_id;
  DROP TABLE countertag.word;
  DROP TABLE countertag.pos_id;

  -- A sale that is told late takes its item from an open order of another station: 'cart' or 'held', as it was granted. Once the
  -- sale ends, the item is that order's again: its station may have sold it meanwhile, and not told it yet.
  ALTER TABLE countertag.claim ADD COLUMN displaced jsonb;
  CREATE FUNCTION countertag.displace() RETURNS trigger LANGUAGE plpgsql SET search_path = countertag AS $$
    BEGIN
      IF NEW.kind = 'sale' THEN
        -- What a copy of the station held for this order is the station's own past.
        IF OLD.kind IN ('cart', 'held') AND OLD.station <> NEW.station AND NOT (
          OLD.order_id IS NOT DISTINCT FROM NEW.order_id
          AND EXISTS (SELECT FROM station WHERE id = OLD.station AND copy_of = NEW.station)) THEN
          NEW.displaced := to_jsonb(OLD);
        END IF;
        RETURN NEW;
      END IF;
      -- A station that is removed in the same moment is waited for.
      PERFORM FROM station WHERE id = (NEW.displaced ->> 'station')::uuid FOR KEY SHARE;
      IF FOUND THEN
        NEW.station := NEW.displaced ->> 'station';
        NEW.kind := NEW.displaced ->> 'kind';
        NEW.order_id := NEW.displaced ->> 'order_id';
        NEW.since := NEW.displaced ->> 'since';
        NEW.revision := NEW.displaced ->> 'revision';
      END IF;
      NEW.displaced := NULL;
      RETURN NEW;
    END $$;
  CREATE TRIGGER displaced BEFORE UPDATE ON countertag.claim
  FOR EACH ROW WHEN (OLD.displaced IS NOT NULL OR NEW.kind = 'sale') EXECUTE FUNCTION countertag.displace();
  -- Its station compares: the order may have let the item go. Told once the statement has all its claims.
  CREATE FUNCTION countertag.tell_back() RETURNS trigger LANGUAGE plpgsql SET search_path = countertag AS $$
    BEGIN
      PERFORM tell('claims');
      RETURN NULL;
    END $$;
  CREATE TRIGGER given_back AFTER UPDATE ON countertag.claim
  FOR EACH ROW WHEN (OLD.displaced IS NOT NULL AND NEW.kind IN ('cart', 'held')) EXECUTE FUNCTION countertag.tell_back();
  -- A claim that is given up leaves the note of when its item came back, whichever statement gives it up.
  CREATE FUNCTION countertag.keep_note() RETURNS trigger LANGUAGE plpgsql SET search_path = countertag AS $$
    BEGIN
      UPDATE claim SET kind = 'returned', order_id = NULL, since = now(), revision = nextval('claim_revision') WHERE tag = OLD.tag;
      RETURN NULL;
    END $$;
  CREATE TRIGGER noted BEFORE DELETE ON countertag.claim
  FOR EACH ROW WHEN (OLD.back_at > 0 AND OLD.kind IN ('cart', 'held')) EXECUTE FUNCTION countertag.keep_note();
  `,
]

export const tablesVersion = migrations.length

/** The same number at every station, for the lock that lets one of them migrate. */
const migrationLock = 7_203_114

/**
 * Ends the connections of stations of the version before, whose statements don't know of these tables. Not those of stations that
 * wait to migrate them, too: these have the lock, or wait for it.
 */
const endOthers = `SELECT pg_terminate_backend(pid, 500) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name LIKE 'countertag %'
    AND application_name NOT IN (
      SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory')`

const Version = z.object({ version: z.number().int().nullable() })

/** The version of the tables; null if there are none. Rejects with an error of the server. */
export async function versionOf(query: Query): Promise<number | null> {
  const there = z.object({ there: z.boolean() })
  const [found] = await query({ text: `SELECT to_regclass('countertag.migration') IS NOT NULL AS there`, row: there })
  if (!found?.there) return null
  const [row] = await query({ text: 'SELECT max(version) AS version FROM countertag.migration', row: Version })
  return row?.version ?? 0
}

/**
 * Makes or migrates the tables, one station at a time. Returns why they can't be used. Rejects with an error of the server.
 */
export async function prepareTables(query: Query): Promise<HubTrouble | null> {
  const run = (text: string, values?: unknown[]) => query({ text, ...(values && { values }), row: z.unknown() })
  const found = await versionOf(query)
  if (found === tablesVersion) return null
  if (found !== null && found > tablesVersion) return 'newer'
  await run('BEGIN')
  try {
    await run('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    await run('CREATE SCHEMA IF NOT EXISTS countertag')
    await run(
      'CREATE TABLE IF NOT EXISTS countertag.migration (version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
    )
    // Another station may have been first.
    const version = (await versionOf(query)) ?? 0
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue
      await run(sql)
      await run('INSERT INTO countertag.migration (version) VALUES ($1)', [index + 1])
    }
    // Stations of the version before don't answer to these tables: what they take until they are updated isn't known here.
    if (version > 0 && version < tablesVersion) {
      await run(`INSERT INTO countertag.awaited SELECT id, name, false FROM countertag.station WHERE copy_of IS NULL
        ON CONFLICT (station) DO UPDATE SET is_here = false`)
      await run(endOthers)
    }
    await run('COMMIT')
    return version > tablesVersion ? 'newer' : null
  } catch (cause) {
    await run('ROLLBACK')
    throw cause
  }
}
