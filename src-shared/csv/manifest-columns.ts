import { columnFinder, countKnown, packageWords, productWords, wordsOf } from './columns'

/** The columns read from a manifest: what was ordered or shipped. */
export const manifestColumns = ['packageUid', 'productName', 'count', 'sku', 'posProductId'] as const
export type ManifestColumn = (typeof manifestColumns)[number]

/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type ManifestMapping = Record<ManifestColumn, number | null>

/** Names of the column of counts, in English and Spanish, most specific first. Normalized as by `columnFinder`. */
const countWords = wordsOf(`
  shippedquantity shippedqty quantityshipped qtyshipped shippedcount shipped packagequantity packageqty
  orderedquantity orderedqty quantityordered qtyordered ordered itemcount numberofitems unitcount units
  quantity qty count amount each pieces
  cantidadenviada cantidadpedida cantidaddeunidades numerodeunidades unidades cantidad piezas recuento
`)

/** Proposes the mapping of a manifest. Doubtful columns stay null; a person chooses. */
export function mapManifestHeader(header: string[]): ManifestMapping {
  const find = columnFinder(header)
  return {
    packageUid: find(packageWords),
    productName: find(productWords.productName),
    count: find(countWords),
    sku: find(productWords.sku),
    posProductId: find(productWords.posProductId),
  }
}

/** How many columns of a line are known by their names. */
export const knownInManifest = (cells: string[]): number => countKnown(cells, mapManifestHeader)
