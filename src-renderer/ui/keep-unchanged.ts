/** The new rows, with the old object for each row that did not change: only rows that changed are drawn again. */
export function keepUnchanged<Row>(before: readonly Row[], after: readonly Row[], idOf: (row: Row) => string): Row[] {
  const known = new Map(before.map((row) => [idOf(row), row]))
  return after.map((row) => {
    const old = known.get(idOf(row))
    return old && JSON.stringify(old) === JSON.stringify(row) ? old : row
  })
}
