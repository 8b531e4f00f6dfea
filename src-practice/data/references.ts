import type { z } from 'zod'
import type { DataShape } from '../data-file'

type Data = z.infer<typeof DataShape>

/** Something in the data file that names a thing that is not there, or is there twice. */
export interface BadReference {
  path: (string | number)[]
  message: string
}

/** Everything a data file gets wrong about itself beyond the form of its fields. */
export function findBadReferences(data: Data): BadReference[] {
  const found: BadReference[] = []
  const report = (path: BadReference['path'], message: string) => found.push({ path, message })

  const known = (
    name:
      'companies' | 'dispensaries' | 'brands' | 'products' | 'batches' | 'laboratories' | 'tag_ids' | 'digital_coas',
  ) =>
    unique(
      data[name].map(({ uuid }) => uuid),
      (index) => [name, index, 'uuid'],
    )

  function unique(ids: string[], pathOf: (index: number) => BadReference['path']): Set<string> {
    const seen = new Set<string>()
    ids.forEach((id, index) => {
      if (seen.has(id)) report(pathOf(index), `is there twice (${id})`)
      seen.add(id)
    })
    return seen
  }

  function need(ids: Set<string>, id: string | null, what: string, ...path: BadReference['path']): void {
    if (id !== null && !ids.has(id)) report(path, `no ${what} ${id} in this file`)
  }

  const companies = known('companies')
  const dispensaries = known('dispensaries')
  const brands = known('brands')
  const products = known('products')
  const batches = known('batches')
  const laboratories = known('laboratories')
  const coas = known('digital_coas')
  const tags = known('tag_ids')
  const cases = new Map(data.collections.filter((one) => one.collection_type === 'case').map((one) => [one.uuid, one]))
  unique(
    data.collections.map(({ uuid }) => uuid),
    (index) => ['collections', index, 'uuid'],
  )
  unique(
    data.accounts.map(({ client_id }) => client_id),
    (index) => ['accounts', index, 'client_id'],
  )
  unique(
    data.assets.map(({ uuid }) => uuid),
    (index) => ['assets', index, 'uuid'],
  )

  data.dispensaries.forEach((one, at) =>
    need(companies, one.company_uuid, 'company', 'dispensaries', at, 'company_uuid'),
  )
  data.brands.forEach((one, at) => need(companies, one.company_uuid, 'company', 'brands', at, 'company_uuid'))
  data.assets.forEach((one, at) => need(companies, one.company_uuid, 'company', 'assets', at, 'company_uuid'))
  data.products.forEach((one, at) => need(brands, one.brand_uuid, 'brand', 'products', at, 'brand_uuid'))
  data.accounts.forEach((one, at) => {
    need(companies, one.company_uuid, 'company', 'accounts', at, 'company_uuid')
    need(brands, one.brand_uuid, 'brand', 'accounts', at, 'brand_uuid')
    need(dispensaries, one.dispensary_uuid, 'dispensary', 'accounts', at, 'dispensary_uuid')
  })
  const packaged = new Set<string>()
  data.batches.forEach((batch, at) => {
    need(brands, batch.brand_uuid, 'brand', 'batches', at, 'brand_uuid')
    batch.digital_coa_uuids.forEach((id, n) => need(coas, id, 'COA', 'batches', at, 'digital_coa_uuids', n))
    batch.packaged_products.forEach((one, n) => {
      const path = ['batches', at, 'packaged_products', n]
      if (packaged.has(one.uuid)) report([...path, 'uuid'], `is there twice (${one.uuid})`)
      packaged.add(one.uuid)
      need(products, one.product_uuid, 'product', ...path, 'product_uuid')
      one.digital_coa_uuids.forEach((id, m) => need(coas, id, 'COA', ...path, 'digital_coa_uuids', m))
    })
  })
  data.digital_coas.forEach((one, at) => {
    need(batches, one.batch_uuid, 'batch', 'digital_coas', at, 'batch_uuid')
    need(laboratories, one.laboratory_uuid, 'laboratory', 'digital_coas', at, 'laboratory_uuid')
  })
  data.tag_ids.forEach((one, at) =>
    need(packaged, one.packaged_product_uuid, 'packaged product', 'tag_ids', at, 'packaged_product_uuid'),
  )
  data.collections.forEach((one, at) => {
    need(companies, one.company_uuid, 'company', 'collections', at, 'company_uuid')
    need(dispensaries, one.dispensary_uuid, 'dispensary', 'collections', at, 'dispensary_uuid')
    need(products, one.required_product_uuid, 'product', 'collections', at, 'required_product_uuid')
    const members = one.members.map((member) => (typeof member === 'string' ? member : member.tag_id))
    members.forEach((id, n) => need(tags, id, 'TagID', 'collections', at, 'members', n))
    one.removed_members.forEach((member, n) => {
      need(tags, member.tag_id, 'TagID', 'collections', at, 'removed_members', n, 'tag_id')
      need(
        companies,
        member.removed_by_company_uuid,
        'company',
        'collections',
        at,
        'removed_members',
        n,
        'removed_by_company_uuid',
      )
    })
    unique([...members, ...one.removed_members.map(({ tag_id }) => tag_id)], (n) => ['collections', at, 'members', n])
  })
  const productOf = new Map(data.tag_ids.map((tag) => [tag.uuid, tag.packaged_product_uuid]))
  const imported = new Set<string>()
  data.imports.forEach((one, at) => {
    need(dispensaries, one.dispensary_uuid, 'dispensary', 'imports', at, 'dispensary_uuid')
    const members = cases.get(one.case_uuid)?.members
    if (members === undefined) {
      report(['imports', at, 'case_uuid'], `no case ${one.case_uuid} in this file`)
      return
    }
    const items = members.map((member) => (typeof member === 'string' ? member : member.tag_id))
    const own = items.filter((id) => productOf.get(id) === one.packaged_product_uuid)
    if (own.length === 0) report(['imports', at, 'packaged_product_uuid'], 'the case holds no item of it')
    if (own.some((id) => imported.has(id))) report(['imports', at, 'case_uuid'], 'its items are imported already')
    own.forEach((id) => imported.add(id))
  })
  return found
}
