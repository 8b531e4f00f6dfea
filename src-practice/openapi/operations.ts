import { z } from 'zod'
import { assetCreates } from '../../src-shared/service/assets'
import { type Endpoint, endpointsV12, endpointsV15, Nothing } from '../../src-shared/service/endpoints'

/** The tables of endpoints as one list, with the names and descriptions that the OpenAPI document adds. */

type NamesIn<Table> = {
  [Resource in keyof Table & string]: `${Resource}.${keyof Table[Resource] & string}`
}[keyof Table & string]

/** `v15.brands.list`: version, resource and name of an endpoint in the tables. */
type OperationName = `v12.${NamesIn<typeof endpointsV12>}` | `v15.${NamesIn<typeof endpointsV15>}`

export interface Operation {
  name: string
  version: 'v1.2' | 'v1.5'
  /** The resource, as a heading. */
  resource: string
  endpoint: Endpoint
  /** The parameters in the path, in order. */
  parameters: string[]
  hasBody: boolean
  hasAnswer: boolean
}

const headings: Record<string, string> = {
  cases: 'Collections',
  packagedProducts: 'Packaged products',
  digitalCoas: 'Digital COAs',
  items: 'TagIDs',
  packageUids: 'Package UIDs',
}

const heading = (resource: string) => headings[resource] ?? resource.charAt(0).toUpperCase() + resource.slice(1)

const operation = (version: Operation['version'], resource: string, name: string, endpoint: Endpoint): Operation => ({
  name: `${version.replace('.', '')}.${resource}.${name}`,
  version,
  resource: heading(resource),
  endpoint,
  parameters: [...endpoint.path.matchAll(/<([^<>]+)>/g)].map((match) => match[1] ?? ''),
  hasBody: endpoint.request !== Nothing,
  hasAnswer: endpoint.answer !== Nothing && endpoint.answer.def.type !== 'unknown',
})

const table = (version: Operation['version'], resources: Record<string, Record<string, Endpoint>>) =>
  Object.entries(resources).flatMap(([resource, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => operation(version, resource, name, endpoint)),
  )

/** The four ways to create an asset are one endpoint of the specification: its path determines the body. */
const isAssetCreate = ({ endpoint }: Operation) => /\/assets\/\w+\/create\/$/.test(endpoint.path)
const createAsset = operation('v1.5', 'assets', 'create', {
  ...endpointsV15.assets.createText,
  path: '/api/v1.5/assets/<asset_type>/create/',
  request: z.union(Object.values(assetCreates)),
})

const v15 = table('v1.5', endpointsV15)

/** Every endpoint of both versions, except the token endpoint, which is outside `{base_url}`. */
export const operations: readonly Operation[] = [
  ...v15.filter((one) => !isAssetCreate(one)),
  createAsset,
  ...table('v1.2', endpointsV12),
]

/** The heading of an endpoint. */
export const tagOf = ({ resource, version }: Operation): string => `${resource} (${version})`

/** Whether a list is paged. */
export const isPaged = ({ endpoint }: Operation): boolean =>
  endpoint.answer instanceof z.ZodObject && 'next' in endpoint.answer.shape

type AssetCreate = `v15.assets.create${'Text' | 'Image' | 'Video' | 'File'}`

/** A one-line description of each endpoint. A missing description does not compile. */
const summaries: Record<Exclude<OperationName, AssetCreate> | 'v15.assets.create', string> = {
  'v15.brands.list': 'Brands of the caller’s company',
  'v15.brands.get': 'A brand',
  'v15.products.list': 'Products of the caller’s company, page by page',
  'v15.products.get': 'A product with its brand',
  'v15.products.create': 'Create a product',
  'v15.products.replace': 'Update a product: the whole of it',
  'v15.products.change': 'Update a product: only what is named',
  'v15.products.publish': 'Publish a product that has description, usage and its three photos',
  'v15.products.unpublish': 'Unpublish a product that no TagID is of',
  'v15.products.addSupplementalPhoto': 'Add an image asset to the supplemental photos',
  'v15.products.addVideo': 'Add a video asset to the videos',
  'v15.products.addDocument': 'Add a file asset to the documents',
  'v15.products.removeSupplementalPhoto': 'Take an image asset off the supplemental photos',
  'v15.products.removeVideo': 'Take a video asset off the videos',
  'v15.products.removeDocument': 'Take a file asset off the documents',
  'v15.batches.list': 'Batches of the caller’s company, page by page',
  'v15.batches.get': 'A batch with its laboratories and packaged products',
  'v15.batches.create': 'Create a batch',
  'v15.batches.update': 'Update a batch: only what is named',
  'v15.packagedProducts.create': 'Package a product from a batch',
  'v15.packagedProducts.replace': 'Update a packaged product',
  'v15.packagedProducts.change': 'Update a packaged product: only what is named',
  'v15.packagedProducts.delete': 'Delete a packaged product',
  'v15.digitalCoas.get': 'A Digital COA',
  'v15.collections.get': 'A collection with its items',
  'v15.collections.getCase': 'A CaseID with everything its items refer to',
  'v15.collections.addItems': 'Add existing TagIDs to a CaseID',
  'v15.collections.addCase': 'Add the TagIDs of a CaseID to a regulator collection',
  'v15.collections.remove': 'Remove a collection from all its TagIDs',
  'v15.collections.restore': 'Restore a removed collection to the TagIDs it held',
  'v15.collections.listRemoved': 'Removed collections of the caller’s company',
  'v15.collections.listRemovedOfType': 'Removed collections of one type',
  'v15.collections.removeTagId': 'Remove a TagID from a collection',
  'v15.collections.restoreTagId': 'Restore a removed TagID to a collection',
  'v15.collections.listRemovedTagIds': 'TagIDs removed from a collection',
  'v15.items.get': 'A TagID with its collections',
  'v15.items.removedCollections': 'A TagID with the removed collections that held it',
  'v15.assets.list': 'Assets of one type, page by page',
  'v15.assets.get': 'An asset',
  'v15.assets.create': 'Upload an asset: text, image, video or file',
  'v15.assets.deleteText': 'Delete a text asset',
  'v12.collections.get': 'A collection with its items',
  'v12.collections.addCase': 'Add the TagIDs of a CaseID to a regulator collection',
  'v12.cases.get': 'A CaseID with everything its items refer to',
  'v12.cases.addItems': 'Add existing TagIDs to a CaseID',
  'v12.products.get': 'A product',
  'v12.items.get': 'A TagID with its collections',
  'v12.imports.create': 'Import a packaged product of a CaseID into inventory',
  'v12.imports.remove': 'Take an import back',
  'v12.packageUids.cases': 'CaseIDs of a POS package UID, each with its import status',
  'v12.transactions.complete': 'Report a sale',
  'v12.transactions.void': 'Void an order',
  'v12.transactions.return': 'Report returned items',
}

const byName = new Map<string, string>(Object.entries(summaries))

export const summaryOf = (name: string): string => byName.get(name) ?? name
