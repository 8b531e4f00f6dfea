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
    catalogitemid masterproductid iddelproducto iddeproducto idproducto productoid codigodelproducto
    codigodeproducto codigoproducto numerodeproducto idarticulo iddelarticulo codigodearticulo
  `),
  posInventoryId: wordsOf(`
    posinventoryid inventoryid inventoryitemid inventorynumber inventorycode stockid stockitemid
    idinventario iddeinventario iddelinventario inventarioid numerodeinventario codigodeinventario
    idexistencias iddeexistencias
  `),
  sku: wordsOf(`
    sku lineitemsku productsku itemsku possku skucode skunumber skudelproducto skuproducto codigosku
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

/**
 * Finds the column of a header whose name is one of the words; of several, the word that comes first counts. Null also if two
 * columns have that name: which of them is meant, a person says.
 */
export function columnFinder(header: string[]): (words: string[]) => number | null {
  const names = header.map(columnWord)
  return (known) => {
    const word = known.find((one) => names.includes(one))
    if (word === undefined) return null
    const at = names.indexOf(word)
    return names.lastIndexOf(word) === at ? at : null
  }
}

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

/** Proposes a mapping from the words of the header. Doubtful columns stay null; a person chooses. */
export function mapHeader(header: string[]): Mapping {
  const ofWords = columnFinder(header)
  const find = (column: CatalogueColumn) => ofWords(words[column])
  return {
    packageUid: find('packageUid'),
    productName: find('productName'),
    posProductId: find('posProductId'),
    posInventoryId: find('posInventoryId'),
    sku: find('sku'),
  }
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
