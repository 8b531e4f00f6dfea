import { packageUidOf, readLikePackage, readPackageTag } from '../scan/packages'
import { textOf } from './cells'
import type { Columns } from './table'

/** The columns read from a POS catalogue. */
export const catalogueColumns = ['packageUid', 'productName', 'posProductId', 'posInventoryId', 'sku'] as const
export type CatalogueColumn = (typeof catalogueColumns)[number]

/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type Mapping = Record<CatalogueColumn, number | null>

/** Column names in known systems, in English and Spanish, most specific first. Normalized as by `plainWord`. */
const words: Record<CatalogueColumn, string[]> = {
  packageUid: wordsOf(`
    packageuid metrctag metrcpackagetag metrcpackage metrcuid metrcid metrc packagetag packagelabel
    packageid pospackageuid statepackageid statetag regulatorid trackingid biotrackid package uid tag label
    batchpackageid externalpackageid uiddelpaquete uidpaquete iddelpaquete iddepaquete idpaquete
    etiquetametrc etiquetadelpaquete etiquetadepaquete etiquetapaquete paquete etiqueta
  `),
  posProductId: wordsOf(`
    posproductid productid posid productnumber productcode itemid itemnumber itemcode catalogid
    catalogitemid masterproductid iddeproductodelpos iddelproducto iddeproducto idproducto productoid codigodelproducto
    codigodeproducto codigoproducto numerodeproducto idarticulo iddelarticulo codigodearticulo
  `),
  posInventoryId: wordsOf(`
    posinventoryid inventoryid inventoryitemid inventorynumber inventorycode stockid stockitemid
    iddeinventariodelpos idinventario iddeinventario iddelinventario inventarioid numerodeinventario codigodeinventario
    idexistencias iddeexistencias
  `),
  sku: wordsOf(`
    sku skudelpos lineitemsku productsku itemsku possku skucode skunumber skudelproducto skuproducto codigosku
  `),
  productName: wordsOf(`
    lineitemname productname itemname posproductname product item name producttitle title productdescription description
    nombredelproducto nombredeproducto nombreproducto producto nombredelarticulo nombrearticulo articulo
    nombre descripcion
  `),
}

/** The words by which a package is found. */
export const packageWords = words.packageUid

/** The words by which a product is found in files of the POS, in catalogs and in sales alike. */
export const productWords = {
  productName: words.productName,
  posProductId: words.posProductId,
  sku: words.sku,
}

/** By what a column of a file is found. */
export interface ColumnRule {
  /** Its names in known systems, most specific first. Normalized as by `columnWord`. */
  words: string[]
  /** Names that also mean other things: they count only if the cells look like it. */
  doubtful?: { words: string[]; looksLike: (cell: string) => boolean }
  /** Whether a cell may be one of this column. Of several columns that could be meant, those whose cells don't look like it are not. */
  looksLike?: (cell: string) => boolean
  /** Names, null if the file has none, under which it is found by its cells alone. */
  isFoundByLooks?: (name: string | null, cells: string[]) => boolean
}

/** So many lines show what a column looks like, and so large a part of its cells must. */
const sampled = 200
const enough = 0.8

/** The cells of each column, without the empty ones. */
const samplesOf = ({ rows, columnCount }: Columns): string[][] =>
  Array.from({ length: columnCount }, (_, at) =>
    rows.slice(0, sampled).flatMap((line) => (line.isBroken ? [] : textOf(line, at) || [])),
  )

/** Null if there is no cell to tell by. */
function looks(cells: string[], looksLike: (cell: string) => boolean): boolean | null {
  if (cells.length === 0) return null
  return cells.filter(looksLike).length >= enough * cells.length
}

/** `shared`: several columns have the name, so that a person must say which one is meant. */
type FoundColumn = number | 'shared' | null

function findByName({ words, doubtful, looksLike }: ColumnRule, names: string[], samples: string[][]): FoundColumn {
  const placesOf = (word: string) => names.flatMap((name, at) => (name === word ? at : []))
  let first: FoundColumn = null
  for (const word of words) {
    const places = placesOf(word)
    if (places.length === 0) continue
    const fitting = looksLike ? places.filter((at) => looks(samples[at] ?? [], looksLike) !== false) : places
    if (fitting.length > 1) return 'shared'
    if (fitting[0] !== undefined) return fitting[0]
    // If no cell of any looks right, the name decides: its lines are listed as faults.
    first ??= places.length > 1 ? 'shared' : (places[0] ?? null)
  }
  for (const word of doubtful?.words ?? []) {
    const isFitting = (at: number) => looks(samples[at] ?? [], doubtful?.looksLike ?? (() => true))
    const places = placesOf(word)
    const sure = places.filter((at) => isFitting(at) === true)
    const fitting = sure.length > 0 ? sure : places.filter((at) => isFitting(at) !== false)
    if (fitting.length > 1) return first ?? 'shared'
    if (fitting[0] !== undefined) return fitting[0]
  }
  return first
}

/**
 * Proposes a column of the file for each rule, by the names of the columns and by what their cells look like. What is doubtful
 * stays null; a person chooses.
 */
export function proposeColumns<Column extends string>(
  rules: Record<Column, ColumnRule>,
  table: Columns,
): (column: Column) => number | null {
  const samples = samplesOf(table)
  const names = (table.header?.cells ?? []).map(columnWord)
  const found = new Map<Column, FoundColumn>()
  for (const column in rules) found.set(column, findByName(rules[column], names, samples))
  for (const column in rules) {
    if (found.get(column) !== null) continue
    const free = samples.map((cells, at) => ([...found.values()].includes(at) ? [] : cells))
    found.set(column, findByLooks(rules[column], table.header?.cells ?? null, free))
  }
  return (column) => {
    const at = found.get(column)
    return typeof at === 'number' ? at : null
  }
}

/** The only column whose cells look like it; null if there is none or several. */
function findByLooks(
  { looksLike, isFoundByLooks }: ColumnRule,
  names: string[] | null,
  samples: string[][],
): FoundColumn {
  if (!looksLike || !isFoundByLooks) return null
  const fitting = samples.flatMap((cells, at) =>
    looks(cells, looksLike) === true && isFoundByLooks(names && (names[at] ?? ''), cells) ? at : [],
  )
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

/** The words of a name: "unit", "weight", "sold" for "UnitWeight_sold". */
export const wordsIn = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(plainWord)
    .filter((word) => word !== '')

/**
 * Columns that stay unmatched because several of the file have the name by which they would be, each with that name. A person
 * says which of them is meant.
 */
export function sharedNames(
  header: string[],
  propose: (header: string[]) => Record<string, number | null>,
): Map<string, string> {
  const words = header.map(columnWord)
  const once = [...new Set(words)]
  const shared = new Map<string, string>()
  for (const [column, at] of Object.entries(propose(once))) {
    const word = at === null ? undefined : once[at]
    if (word === undefined) continue
    const first = words.indexOf(word)
    if (words.lastIndexOf(word) !== first) shared.set(column, header[first] ?? '')
  }
  return shared
}

/** How many columns of a line are known by their names. `propose`: proposes a mapping; a name that occurs twice counts once. */
export function countKnown(cells: string[], propose: (header: string[]) => Record<string, number | null>): number {
  const names = [...new Set(cells.map(columnWord))]
  return Object.values(propose(names)).filter((at) => at !== null).length
}

const rules: Record<CatalogueColumn, ColumnRule> = {
  packageUid: { words: words.packageUid, looksLike: isPackageTag, isFoundByLooks: () => true },
  productName: { words: words.productName },
  posProductId: { words: words.posProductId },
  posInventoryId: { words: words.posInventoryId },
  sku: { words: words.sku },
}

export function proposeCatalogue(table: Columns): Mapping {
  const of = proposeColumns(rules, table)
  return {
    packageUid: of('packageUid'),
    productName: of('productName'),
    posProductId: of('posProductId'),
    posInventoryId: of('posInventoryId'),
    sku: of('sku'),
  }
}

/** By the names alone. */
export const mapHeader = (header: string[]): Mapping => proposeCatalogue(headerAlone(header))

/** A header without a file below it. */
export const headerAlone = (cells: string[]): Columns => ({
  header: { line: 1, cells, isBroken: false },
  rows: [],
  columnCount: cells.length,
})

/** A cell that is the tag of a package. */
export function isPackageTag(cell: string): boolean {
  const uid = packageUidOf(cell)
  return readPackageTag(uid) !== undefined || readLikePackage(uid) !== undefined
}

export function wordsOf(list: string): string[] {
  return list.trim().split(/\s+/)
}

/** The name of a column without a unit or zone in brackets: "Qty (ea)", "Date [MST]". */
export const columnWord = (name: string): string =>
  plainWord(name.trim().replace(/(?:\([^()]*\)|\[[^[\]]*\])$/, '')) || plainWord(name)

/** Letters and digits only, in lower case and without accents: "iddeproducto" for "ID de producto". */
export function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
