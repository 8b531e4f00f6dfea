import type { ServiceClient } from '../../../src-main/service/client'
import { collect } from './collect'
import { caseOf, order, packageUid, tag, thing } from '../../fakes/ids'
import * as wire from '../../fixtures/wire'

/** Every method of the client, with its request and answer on the wire. */

const { long, short } = wire
const [p, q] = [thing(1), thing(2)]
const [P, Q] = [long.thing(1), long.thing(2)]
const [t, k] = [tag(1), caseOf(1)]
const [T, K] = [long.tag(1), long.caseOf(1)]

const size = { value: '3.5', unit: 'gram' } as const
const product = { name: 'Blue Dune', product_type: 'FLOWER', package_size: size } as const
const image = { name: 'front', content: 'AAAA' }
const brandList = [{ uuid: P, name: 'Hudson Fields', state: 'NJ' }]

export type Call = (client: ServiceClient) => Promise<unknown>
/** Method name, call, request line, request body, response body, returned value. */
type Row = [name: string, call: Call, asked: string, sent: unknown, answer: unknown, value: unknown]

/** All of `/api/v1.5`, with paths after its prefix. */
export const v15: Row[] = [
  ['brands.list', (c) => c.v15.brands.list(), 'GET brands/', null, brandList, [{ uuid: p }]],
  ['brands.get', (c) => c.v15.brands.get(p), `GET brands/${P}/`, null, wire.brand(long), { uuid: p }],
  [
    'products.list',
    (c) => collect(c.v15.products.list()),
    'GET products/',
    null,
    wire.page([wire.productEntry(long)]),
    [{ uuid: thing(3), brand_uuid: p }],
  ],
  [
    'products.get',
    (c) => c.v15.products.get(q),
    `GET products/${Q}/`,
    null,
    wire.productV15(long),
    { brand: { uuid: p } },
  ],
  [
    'products.create',
    (c) => c.v15.products.create({ ...product, brand_uuid: p, name: ' Blue Dune ' }),
    'POST products/create/',
    { ...product, brand_uuid: P },
    wire.productV15(long),
    { uuid: thing(3) },
  ],
  [
    'products.replace',
    (c) => c.v15.products.replace(q, product),
    `PUT products/${Q}/update/`,
    product,
    wire.productV15(long),
    { uuid: thing(3) },
  ],
  [
    'products.change',
    (c) => c.v15.products.change(q, { photo_primary_asset_uuid: p, discontinued_on: null }),
    `PATCH products/${Q}/update/`,
    { photo_primary_asset_uuid: P, discontinued_on: null },
    { status: 'success' },
    null,
  ],
  ['products.publish', (c) => c.v15.products.publish(q), `POST products/${Q}/publish/`, null, undefined, null],
  ['products.unpublish', (c) => c.v15.products.unpublish(q), `POST products/${Q}/unpublish/`, null, 'OK', null],
  ...(
    [
      ['addSupplementalPhoto', 'supplemental-photos/'],
      ['addVideo', 'videos/'],
      ['addDocument', 'documents/'],
      ['removeSupplementalPhoto', 'supplemental-photos/delete/'],
      ['removeVideo', 'videos/delete/'],
      ['removeDocument', 'documents/delete/'],
    ] as const
  ).map(([name, path]): Row => [
    `products.${name}`,
    (c) => c.v15.products[name](q, { uuid: p }),
    `POST products/${Q}/${path}`,
    { uuid: P },
    undefined,
    null,
  ]),
  [
    'batches.list',
    (c) => collect(c.v15.batches.list()),
    'GET batches/',
    null,
    wire.page([wire.batch(long)]),
    [{ uuid: thing(4) }],
  ],
  ['batches.get', (c) => c.v15.batches.get(q), `GET batches/${Q}/`, null, wire.batchDetail(long), { uuid: thing(4) }],
  [
    'batches.create',
    (c) => c.v15.batches.create({ name: 'B-1', brand_uuid: p }),
    'POST batches/create/',
    { name: 'B-1', brand_uuid: P },
    wire.batch(long),
    { uuid: thing(4) },
  ],
  [
    'batches.update',
    (c) => c.v15.batches.update(q, { regulatory_id: '' }),
    `PUT batches/${Q}/update/`,
    { regulatory_id: '' },
    wire.batch(long),
    { uuid: thing(4) },
  ],
  [
    'packagedProducts.create',
    (c) => c.v15.packagedProducts.create(q, { product_uuid: p, digital_coa_uuids: [p] }),
    `POST batches/${Q}/packaged-products/`,
    { product_uuid: P, digital_coa_uuids: [P] },
    wire.packagedProductV15(long),
    { uuid: thing(6) },
  ],
  [
    'packagedProducts.replace',
    (c) => c.v15.packagedProducts.replace(q, p, { product_uuid: p }),
    `PUT batches/${Q}/packaged-products/${P}/update/`,
    { product_uuid: P },
    wire.packagedProductV15(long),
    { uuid: thing(6) },
  ],
  [
    'packagedProducts.change',
    (c) => c.v15.packagedProducts.change(q, p, { packaged_on: null }),
    `PATCH batches/${Q}/packaged-products/${P}/update/`,
    { packaged_on: null },
    wire.packagedProductV15(long),
    { uuid: thing(6) },
  ],
  [
    'packagedProducts.delete',
    (c) => c.v15.packagedProducts.delete(q, p),
    `DELETE batches/${Q}/packaged-products/${P}/delete/`,
    null,
    undefined,
    null,
  ],
  [
    'digitalCoas.get',
    (c) => c.v15.digitalCoas.get(q),
    `GET digital_coas/${Q}/`,
    null,
    wire.coa(long),
    { uuid: thing(5) },
  ],
  [
    'collections.get',
    (c) => c.v15.collections.get(k),
    `GET collections/${K}/`,
    null,
    wire.collectionV15(long),
    { uuid: k },
  ],
  [
    'collections.getCase',
    (c) => c.v15.collections.getCase(k),
    `GET collections/case/${K}/`,
    null,
    wire.caseDetailV15(long),
    { items: [{ tag_id: t }] },
  ],
  [
    'collections.addItems',
    (c) => c.v15.collections.addItems(k, [t]),
    `POST collections/case/${K}/add-items/`,
    [T],
    wire.collectionV15(long),
    { uuid: k },
  ],
  [
    'collections.addCase',
    (c) => c.v15.collections.addCase('1A40/60 30', { case_uuid: k, packaged_product_uuid: p }),
    'POST collections/regulator/1A40%2F60%2030/add-case/',
    { case_uuid: K, packaged_product_uuid: P },
    wire.collectionV15(long),
    { uuid: k },
  ],
  ['collections.remove', (c) => c.v15.collections.remove(k), `DELETE collections/${K}/remove/`, null, undefined, null],
  [
    'collections.restore',
    (c) => c.v15.collections.restore('HF 2026/1'),
    'PUT collections/HF%202026%2F1/restore/',
    null,
    wire.collectionV15(long),
    null,
  ],
  [
    'collections.listRemoved',
    (c) => c.v15.collections.listRemoved(),
    'GET removed-collections/',
    null,
    [wire.removedCollection(long)],
    [{ uuid: k }],
  ],
  [
    'collections.listRemovedOfType',
    (c) => c.v15.collections.listRemovedOfType('case'),
    'GET removed-collections/case/',
    null,
    [],
    [],
  ],
  [
    'collections.removeTagId',
    (c) => c.v15.collections.removeTagId(k, t),
    `DELETE collections/${K}/tag-ids/${T}/remove/`,
    null,
    undefined,
    null,
  ],
  [
    'collections.restoreTagId',
    (c) => c.v15.collections.restoreTagId(k, t),
    `GET collections/${K}/tag-ids/${T}/restore/`,
    null,
    undefined,
    null,
  ],
  [
    'collections.listRemovedTagIds',
    (c) => c.v15.collections.listRemovedTagIds(k),
    `GET collections/${K}/removed-tag-ids/`,
    null,
    [wire.caseItem(long)],
    [wire.caseItem(short)],
  ],
  ['items.get', (c) => c.v15.items.get(t), `GET items/${T}/`, null, wire.itemV15(long), { uuid: t }],
  [
    'items.removedCollections',
    (c) => c.v15.items.removedCollections(t),
    `GET tag-ids/${T}/removed-collections/`,
    null,
    wire.itemWithRemovedCollections(long),
    { uuid: t },
  ],
  [
    'assets.list',
    (c) => collect(c.v15.assets.list('videos')),
    'GET assets/videos/',
    null,
    wire.page([wire.asset(long)]),
    [{ uuid: thing(12) }],
  ],
  [
    'assets.get',
    (c) => c.v15.assets.get('files', p),
    `GET assets/files/${P}/`,
    null,
    wire.asset(long),
    { uuid: thing(12) },
  ],
  [
    'assets.createText',
    (c) => c.v15.assets.createText({ name: 'About', content: ' as it is ', usage: 'description' }),
    'POST assets/texts/create/',
    { name: 'About', content: ' as it is ', usage: 'description' },
    wire.asset(long),
    { uuid: thing(12) },
  ],
  [
    'assets.createImage',
    (c) => c.v15.assets.createImage(image),
    'POST assets/images/create/',
    image,
    wire.asset(long),
    {},
  ],
  [
    'assets.createVideo',
    (c) => c.v15.assets.createVideo({ ...image, description: 'The river' }),
    'POST assets/videos/create/',
    { ...image, description: 'The river' },
    wire.asset(long),
    {},
  ],
  [
    'assets.createFile',
    (c) => c.v15.assets.createFile(image),
    'POST assets/files/create/',
    image,
    wire.asset(long),
    {},
  ],
  ['assets.deleteText', (c) => c.v15.assets.deleteText(p), `DELETE assets/text/${P}/delete/`, null, undefined, null],
]

const theImport = {
  case_uuid: k,
  packaged_product_uuid: p,
  pos_product_id: '1',
  pos_inventory_id: '2',
  package_uid: packageUid(1),
}
const removal = { case_uuid: k, package_uid: packageUid(1) }
const sale = { performed_at: '2026-10-01T09:30:00Z', order_id: order(7), items: [t] }
const voided = { performed_at: '2026-10-01T09:30:00Z', order_id: order(7) }

/** The reads of `/api/v1.2`. */
export const v12Reads: Row[] = [
  [
    'collections.get',
    (c) => c.v12.collections.get('HF 2026/1'),
    'GET collections/HF%202026%2F1/',
    null,
    wire.collectionV12(short),
    { uuid: k },
  ],
  ['cases.get', (c) => c.v12.cases.get(k), `GET collections/case/${k}/`, null, wire.caseDetailV12(short), { uuid: k }],
  [
    'products.get',
    (c) => c.v12.products.get(p),
    `GET products/${p}/`,
    null,
    wire.productV12(short),
    { uuid: thing(3) },
  ],
  ['items.get', (c) => c.v12.items.get(t), `GET items/${t}/`, null, wire.itemV12(short), { uuid: t }],
  [
    'packageUids.cases',
    (c) => c.v12.packageUids.cases('1A/1'),
    'GET package-uids/1A%2F1/caseids/',
    null,
    wire.packageCases,
    { case_ids: { [k]: { is_imported: true } } },
  ],
]

/** The changes of `/api/v1.2`. The outbox gets the raw reply. */
export const v12Changes: [name: string, call: Call, asked: string, sent: unknown][] = [
  [
    'collections.addCase',
    (c) => c.v12.collections.addCase('1A/1', { case_uuid: k }),
    'POST collections/regulator/1A%2F1/add-case/',
    { case_uuid: k },
  ],
  ['cases.addItems', (c) => c.v12.cases.addItems(k, [t]), `POST collections/case/${k}/add-items/`, [t]],
  ['imports.create', (c) => c.v12.imports.create(theImport), 'POST caseids/import/', theImport],
  ['imports.remove', (c) => c.v12.imports.remove(removal), 'POST caseids/import/remove/', removal],
  ['transactions.complete', (c) => c.v12.transactions.complete(sale), 'POST transactions/complete/', sale],
  ['transactions.void', (c) => c.v12.transactions.void(voided), 'POST transactions/void/', voided],
  ['transactions.return', (c) => c.v12.transactions.return(sale), 'POST transactions/return/', sale],
]
