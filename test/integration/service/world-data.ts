import { DataFile } from '../../../src-practice/data-file'
import { brands, catalogueData, companies, ids, moment, packaged } from './world-catalogue'

/** The other half of the test world: dispensaries, accounts, TagIDs and the collections that hold them. */

const dispensaryId = ids('dispensary')
const collectionId = ids('collection')
const assetId = ids('asset')
const tags = (name: string, count: number) => Array.from({ length: count }, (_, n) => ids('tag')(`${name} ${n}`))

export const dispensaries = { own: dispensaryId('own'), sister: dispensaryId('sister'), far: dispensaryId('far') }

/** TagIDs by where they are; `free` is in no collection, `blank` is paired with nothing. */
export const tagIds = {
  plain: tags('plain', 6),
  left: tags('left', 1),
  mixedFlower: tags('mixed flower', 3),
  mixedGummies: tags('mixed gummies', 3),
  own: tags('own', 4),
  sister: tags('sister', 2),
  far: tags('far', 2),
  gone: tags('gone', 2),
  rival: tags('rival', 2),
  free: tags('free', 3),
  freeGummies: tags('free gummies', 1),
  blank: tags('blank', 1),
}

/** Cases: `own`, `sister` and `far` are imported there, `gone` is removed, `mixed` holds two products. */
export const cases = {
  plain: collectionId('plain'),
  mixed: collectionId('mixed'),
  own: collectionId('own'),
  sister: collectionId('sister'),
  far: collectionId('far'),
  gone: collectionId('gone'),
  rival: collectionId('rival'),
}
export const collections = {
  origin: collectionId('origin'),
  order: collectionId('order'),
  group: collectionId('group'),
}
export const regulators = { old: collectionId('old'), sent: collectionId('sent'), empty: collectionId('empty') }

/** Package UIDs: `sent` went to our dispensary with the plain, own and sister cases; `own` is where we imported. */
export const packageUids = { old: 'REG-OLD', sent: 'REG-SENT', empty: 'REG EMPTY/1', own: 'PKG-OWN', sister: 'PKG-SIS' }

const collection = (uuid: string, collection_type: string, identifier: string, members: string[], more = {}) => ({
  uuid,
  identifier,
  name: `Name of ${identifier}`,
  collection_type,
  company_uuid: companies.maker,
  added_on: '2026-09-02T12:00:00Z',
  members,
  ...more,
})
const caseOf = (name: keyof typeof cases, members: string[], more = {}) =>
  collection(cases[name], 'case', `CASE ${name}`, members, { required_items_per_caseid: members.length, ...more })
const imported = (name: 'own' | 'sister' | 'far', package_uid: string) => ({
  case_uuid: cases[name],
  packaged_product_uuid: packaged.flower,
  dispensary_uuid: dispensaries[name],
  package_uid,
  pos_product_id: 'POS-1',
  pos_inventory_id: `INV-${name}`,
  imported_on: '2026-09-10T12:00:00Z',
})
const paired = (uuids: string[], packaged_product_uuid: string) =>
  uuids.map((uuid) => ({ uuid, created: moment, paired_on: moment, packaged_product_uuid }))
const account = (client_id: string, product: string, company_uuid: string, more = {}) => ({
  client_id,
  client_secret: `${client_id}-secret`,
  product,
  company_uuid,
  ...more,
})

export const worldData = DataFile.parse({
  format: 'countertag-practice-data',
  version: 1,
  tag_url: 'https://tag.example',
  companies: Object.entries(companies).map(([name, uuid]) => ({ uuid, name: `${name} LLC` })),
  dispensaries: [
    { uuid: dispensaries.own, name: 'Own shop', state: 'NJ', company_uuid: companies.shop },
    { uuid: dispensaries.sister, name: 'Sister shop', state: 'NJ', company_uuid: companies.shop },
    { uuid: dispensaries.far, name: 'Far shop', state: 'NY', company_uuid: companies.stranger },
  ],
  accounts: [
    account('maker', 'sourcing', companies.maker, { brand_uuid: brands.nj }),
    account('rival', 'sourcing', companies.rival, { brand_uuid: brands.rival }),
    account('shop', 'retail', companies.shop, { brand_uuid: brands.nj, dispensary_uuid: dispensaries.own }),
    account('sister', 'retail', companies.shop, { brand_uuid: brands.nj, dispensary_uuid: dispensaries.sister }),
    account('stranger', 'retail', companies.stranger, { brand_uuid: brands.nj, dispensary_uuid: dispensaries.far }),
  ],
  ...catalogueData,
  tag_ids: [
    ...paired(
      [...tagIds.plain, ...tagIds.left, ...tagIds.mixedFlower, ...tagIds.own, ...tagIds.sister, ...tagIds.far],
      packaged.flower,
    ),
    ...paired([...tagIds.gone, ...tagIds.free], packaged.flower),
    ...paired([...tagIds.mixedGummies, ...tagIds.freeGummies], packaged.gummies),
    ...paired(tagIds.rival, packaged.rival),
    ...tagIds.blank.map((uuid) => ({ uuid, created: moment })),
  ],
  collections: [
    caseOf('plain', tagIds.plain, {
      gtin_code: '00036000291452',
      activated_on: moment,
      removed_members: [
        {
          tag_id: tagIds.left[0],
          added_on: moment,
          removed_on: '2026-09-05T12:00:00Z',
          removed_by_company_uuid: companies.maker,
        },
      ],
    }),
    caseOf('mixed', [...tagIds.mixedFlower, ...tagIds.mixedGummies]),
    caseOf('own', tagIds.own),
    caseOf('sister', tagIds.sister),
    caseOf('far', tagIds.far),
    caseOf('gone', tagIds.gone, { removed_on: '2026-09-06T12:00:00Z' }),
    caseOf('rival', tagIds.rival, { company_uuid: companies.rival }),
    collection(collections.origin, 'origin', 'ORIGIN', tagIds.plain.slice(0, 2)),
    collection(collections.order, 'order', 'ORDER', tagIds.plain.slice(0, 2)),
    collection(collections.group, 'collection', 'GROUP', tagIds.plain.slice(0, 2)),
    collection(regulators.old, 'regulator', packageUids.old, tagIds.plain, {
      sub_type: 'Batch',
      added_on: '2026-08-01T12:00:00Z',
    }),
    collection(regulators.sent, 'regulator', packageUids.sent, [...tagIds.plain, ...tagIds.own, ...tagIds.sister], {
      sub_type: 'Transfer',
      dispensary_uuid: dispensaries.own,
    }),
    collection(regulators.empty, 'regulator', packageUids.empty, [], { sub_type: 'Packaged product' }),
  ],
  imports: [imported('own', packageUids.own), imported('sister', packageUids.sister), imported('far', 'PKG-FAR')],
  assets: [
    {
      uuid: assetId('text'),
      company_uuid: companies.maker,
      asset_type: 'texts',
      name: 'A text',
      content: '<p>Well.</p>',
      usage: 'description',
    },
  ],
})
