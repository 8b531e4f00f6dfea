/** Indexes of what may be claimed and of what is finished. */
export const dueReports = `
  -- What may be claimed, by when: with 100,000 waiting the next one is still found at once.
  DROP INDEX operation_claimable;
  CREATE INDEX operation_due ON operation (next_attempt_at) WHERE state IN ('queued', 'unknown') AND blockers = 0;
  -- The newest of what is over, behind however many that are not.
  CREATE INDEX operation_over ON operation (seq) WHERE state IN ('accepted', 'cancelled');
  `
