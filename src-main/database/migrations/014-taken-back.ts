/** Refused reports that were taken back under version 0.2.0. */
export const takenBack = `
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
  `
