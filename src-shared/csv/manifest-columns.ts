import {
  type ColumnRule,
  countKnown,
  headerAlone,
  isPackageTag,
  packageWords,
  productWords,
  proposeColumns,
  wordsOf,
} from './columns'
import { readCount } from './count-cell'
import type { Columns } from './table'
import { doubtfulUnitWords, isUnit, unitWords } from './units'

/** The columns read from a manifest: what was ordered or shipped. */
export const manifestColumns = ['packageUid', 'productName', 'count', 'unit', 'sku', 'posProductId'] as const
export type ManifestColumn = (typeof manifestColumns)[number]

/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type ManifestMapping = Record<ManifestColumn, number | null>

/** Names of the column of counts, in English and Spanish, most specific first. Normalized as by `columnWord`. */
const countWords = wordsOf(`
  itemsonmanifest shippedquantity shippedqty quantityshipped qtyshipped shippedcount shipped packagequantity packageqty
  orderedquantity orderedqty quantityordered qtyordered ordered itemcount numberofitems unitcount units
  quantity qty count amount each pieces items
  cantidadenviada cantidadpedida cantidaddeunidades numerodeunidades unidades cantidad piezas recuento articulosenelmanifiesto articulos
`)

const isCount = (cell: string) => !['not-whole', 'out-of-range'].includes(readCount(cell, 'unsaid').kind)

const rules: Record<ManifestColumn, ColumnRule> = {
  packageUid: { words: packageWords, looksLike: isPackageTag, isFoundByLooks: () => true },
  productName: { words: productWords.productName },
  count: { words: countWords, looksLike: isCount },
  unit: { words: unitWords, doubtful: { words: doubtfulUnitWords, looksLike: isUnit }, looksLike: isUnit },
  sku: { words: productWords.sku },
  posProductId: { words: productWords.posProductId },
}

/** Proposes the mapping of a manifest by the names of its columns and what their cells look like. A person chooses what is doubtful. */
export function proposeManifest(table: Columns): ManifestMapping {
  const of = proposeColumns(rules, table)
  return {
    packageUid: of('packageUid'),
    productName: of('productName'),
    count: of('count'),
    unit: of('unit'),
    sku: of('sku'),
    posProductId: of('posProductId'),
  }
}

/** By the names alone. */
export const mapManifestHeader = (header: string[]): ManifestMapping => proposeManifest(headerAlone(header))

/** How many columns of a line are known by their names. */
export const knownInManifest = (cells: string[]): number => countKnown(cells, mapManifestHeader)
