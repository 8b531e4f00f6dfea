/** States whose brands have fields of their own. Spec: Product, "only for Arizona brands", "only for Missouri brands". */
const names = { AZ: 'arizona', MO: 'missouri' } as const

/** Whether a brand is of a state, which the data may give by name or by code. */
export const isOfState = (state: string, code: keyof typeof names): boolean =>
  state.toUpperCase() === code || state.toLowerCase() === names[code]
