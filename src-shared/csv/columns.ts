/** The columns of a POS's catalogue that matter here. */
export const catalogueColumns = ['packageUid', 'productName', 'posProductId', 'posInventoryId', 'sku'] as const
export type CatalogueColumn = (typeof catalogueColumns)[number]

/** Which column of the file is which, counted from 0; null: the file has none. */
export type Mapping = Record<CatalogueColumn, number | null>

/**
 * What the columns are called by the systems we know of, in English and Spanish, the clearest first. Written as
 * `plainWord` makes them.
 */
const words: Record<CatalogueColumn, string[]> = {
  packageUid: [
    ...['packageuid', 'metrctag', 'metrcpackagetag', 'metrcpackage', 'metrcuid', 'metrcid', 'metrc', 'packagetag'],
    ...['packagelabel', 'packageid', 'posPackageUid', 'statepackageid', 'statetag', 'regulatorid', 'trackingid'],
    ...['biotrackid', 'package', 'uid', 'tag', 'label', 'batchpackageid', 'externalpackageid'],
    ...[
      'uiddelpaquete',
      'uidpaquete',
      'iddelpaquete',
      'iddepaquete',
      'idpaquete',
      'etiquetametrc',
      'etiquetadelpaquete',
    ],
    ...['etiquetadepaquete', 'etiquetapaquete', 'paquete', 'etiqueta'],
  ].map(plainWord),
  posProductId: [
    ...['posproductid', 'productid', 'posid', 'productnumber', 'productcode', 'itemid', 'itemnumber', 'itemcode'],
    ...['catalogid', 'catalogitemid', 'masterproductid', 'iddelproducto', 'iddeproducto', 'idproducto', 'productoid'],
    ...['codigodelproducto', 'codigodeproducto', 'codigoproducto', 'numerodeproducto', 'idarticulo', 'iddelarticulo'],
    ...['codigodearticulo'],
  ],
  posInventoryId: [
    ...[
      'posinventoryid',
      'inventoryid',
      'inventoryitemid',
      'inventorynumber',
      'inventorycode',
      'stockid',
      'stockitemid',
    ],
    ...[
      'idinventario',
      'iddeinventario',
      'iddelinventario',
      'inventarioid',
      'numerodeinventario',
      'codigodeinventario',
    ],
    ...['idexistencias', 'iddeexistencias'],
  ],
  sku: ['sku', 'productsku', 'itemsku', 'possku', 'skucode', 'skunumber', 'skudelproducto', 'skuproducto', 'codigosku'],
  productName: [
    ...['productname', 'itemname', 'posproductname', 'product', 'item', 'name', 'producttitle', 'title'],
    ...['productdescription', 'description', 'nombredelproducto', 'nombredeproducto', 'nombreproducto', 'producto'],
    ...['nombredelarticulo', 'nombrearticulo', 'articulo', 'nombre', 'descripcion'],
  ],
}

/** A proposal by the words of the header; what is not clear stays null, for a person to say. */
export function mapHeader(header: string[]): Mapping {
  const names = header.map(plainWord)
  const find = (column: CatalogueColumn) => {
    const word = words[column].find((one) => names.includes(one))
    return word === undefined ? null : names.indexOf(word)
  }
  return {
    packageUid: find('packageUid'),
    productName: find('productName'),
    posProductId: find('posProductId'),
    posInventoryId: find('posInventoryId'),
    sku: find('sku'),
  }
}

/** "ID de producto" and "POS Product-ID" without case, accents and whatever stands between the letters. */
function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
