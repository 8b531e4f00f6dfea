/** A figure's growth per evening: the slope of the least-squares line. Null for fewer than two evenings. */
export function growthPerDay(evenings: readonly number[]): number | null {
  const count = evenings.length
  if (count < 2) return null
  const middle = (count - 1) / 2
  const mean = evenings.reduce((sum, one) => sum + one, 0) / count
  let along = 0
  let across = 0
  for (const [day, value] of evenings.entries()) {
    along += (day - middle) ** 2
    across += (day - middle) * (value - mean)
  }
  return across / along
}
