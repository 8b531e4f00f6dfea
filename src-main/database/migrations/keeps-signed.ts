/** The rows of a table that are of a signed count never change. `isSigned`: whether a row, OLD, is. */
export const keepsSigned = (table: string, isSigned: string) =>
  (['UPDATE', 'DELETE'] as const)
    .map(
      (change) => `  CREATE TRIGGER ${table}_keeps_${change.toLowerCase()} BEFORE ${change} ON ${table}
  WHEN ${isSigned} BEGIN
    SELECT RAISE(ABORT, 'a signed count never changes');
  END;`,
    )
    .join('\n')
