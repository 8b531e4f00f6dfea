/** Counts that two stations signed. The newest schema of version 0.2.0. */
export const signedToo = `
  -- Signed counts that another station, apart from this one, signed too: that signature counts in the store. ended: JSON, as in
  -- stock_count.
  CREATE TABLE stock_count_signed_too (
    count INTEGER PRIMARY KEY REFERENCES stock_count (seq),
    ended TEXT NOT NULL
  ) STRICT;
  `
