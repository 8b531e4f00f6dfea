import { plainWord, wordsOf } from './columns'

/** Units that count items, in English and Spanish. */
export const itemUnit = '(?:ea|each|eaches|units?|pcs?|pieces?|ct|count|items?|uds?|unidad(?:es)?|pzas?|piezas?)'
const ofItems = new RegExp(`^${itemUnit}$`)
/** Units of weight and volume, and of what holds several items. */
const ofOthers =
  /^(?:g|grs?|gms?|grams?|mg|milligrams?|kg|kilos?|kilograms?|oz|ounces?|lbs?|pounds?|ml|milliliters?|l|liters?|cs|cases?|ctns?|cartons?|gramos?|miligramos?|kilogramos?|onzas?|libras?|litros?|cajas?)$/

/** Names of a column of units, most specific first. */
export const unitWords = wordsOf(
  'shippedunitofmeasure shippedunitofmeasurename unitofmeasure unitofmeasurename unitofmeasureabbreviation uom unidaddemedida',
)
/** Names that are also those of a number of units. */
export const doubtfulUnitWords = wordsOf('unit unittype measure unidad medida')

export const isUnit = (cell: string): boolean => ofItems.test(plainWord(cell)) || ofOthers.test(plainWord(cell))

/** Whether a quantity in this unit is one of items. None is said if it is empty. A unit that isn't known may hold several. */
export const countsItems = (unit: string): boolean => plainWord(unit) === '' || ofItems.test(plainWord(unit))

/** The unit in brackets behind the name of a column, if it is one of other things than items: "Qty (g)". */
export function otherUnitIn(name: string): string {
  const unit = /[([]([^()[\]]*)[)\]]\s*$/.exec(name)?.[1]?.trim() ?? ''
  return ofOthers.test(plainWord(unit)) ? unit : ''
}
