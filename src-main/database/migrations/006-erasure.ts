/** Customers who asked to be erased. */
export const erasure = `
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
  `
