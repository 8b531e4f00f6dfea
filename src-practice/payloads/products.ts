import { z } from 'zod'
import { BrandData, ProductData } from '../data/catalogue'
import { productTypeName, usageName, varietyName } from '../data/codes'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'
import { imageSet } from './pictures'

const ProductRow = z.object({ body: json(ProductData) })
const BrandRow = z.object({ body: json(BrandData), company_name: z.string() })

/** Products and brands as `/api/v1.2` shows them: codes by their names. Spec: Product, Brand. */
export function createProducts({ store, pictures, origin }: Parts) {
  const products = query(
    store,
    'SELECT body FROM products WHERE uuid IN (SELECT value FROM json_each(?)) ORDER BY rowid',
    ProductRow,
  )
  const brands = query(
    store,
    `SELECT b.body, c.name AS company_name FROM brands b JOIN companies c ON c.uuid = b.company_uuid
     WHERE b.uuid IN (SELECT value FROM json_each(?)) ORDER BY b.rowid`,
    BrandRow,
  )

  const productPayload = ({ picture, product_type, usage, variety, container_type, ...rest }: ProductData) => ({
    ...rest,
    container_type: container_type ?? '',
    product_type: productTypeName(product_type),
    usage: usageName(usage),
    variety: variety === null ? '' : varietyName(variety),
    documents: [],
    videos: [],
    images: { ...imageSet(pictures, origin, picture), supplemental: null },
  })
  const brandPayload = ({ picture, company_uuid: _, ...rest }: BrandData, company: string) => ({
    ...rest,
    company,
    images: imageSet(pictures, origin, picture),
    brand_video: null,
  })

  return {
    products: (uuids: readonly string[]) => products.all(JSON.stringify(uuids)).map(({ body }) => productPayload(body)),
    brands: (uuids: readonly string[]) =>
      brands.all(JSON.stringify(uuids)).map(({ body, company_name }) => brandPayload(body, company_name)),
  }
}
