import { z } from 'zod'
import { assetCreates } from '../../src-shared/service/assets'
import { Nothing, type Endpoint } from '../../src-shared/service/endpoint'
import { endpointsV12 } from '../../src-shared/service/endpoints-v12'
import { endpointsV15 } from '../../src-shared/service/endpoints-v15'

/** The tables of endpoints as one list, with the names and words that the OpenAPI document adds. */

type NamesIn<Table> = {
  [Resource in keyof Table & string]: `${Resource}.${keyof Table[Resource] & string}`
}[keyof Table & string]

/** `v15.brands.list`: version, resource and name of an endpoint in the tables. */
export type OperationName = `v12.${NamesIn<typeof endpointsV12>}` | `v15.${NamesIn<typeof endpointsV15>}`

export interface Operation {
  name: string
  version: 'v1.2' | 'v1.5'
  /** The resource, as a heading. */
  resource: string
  endpoint: Endpoint
  /** The names in the path, in order. */
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

/** The four ways to create an asset are one endpoint of the specification: its path says which body it takes. */
const isAssetCreate = ({ endpoint }: Operation) => /\/assets\/\w+\/create\/$/.test(endpoint.path)
const createAsset = operation('v1.5', 'assets', 'create', {
  ...endpointsV15.assets.createText,
  path: '/api/v1.5/assets/<asset_type>/create/',
  request: z.union(Object.values(assetCreates)),
})

const v15 = table('v1.5', endpointsV15)

/** Every endpoint of both versions; the token endpoint is apart, for it is no part of `{base_url}`. */
export const operations: readonly Operation[] = [
  ...v15.filter((one) => !isAssetCreate(one)),
  createAsset,
  ...table('v1.2', endpointsV12),
]

/** The heading under which an endpoint stands. */
export const tagOf = ({ resource, version }: Operation): string => `${resource} (${version})`

/** Whether a list comes page by page. */
export const isPaged = ({ endpoint }: Operation): boolean =>
  endpoint.answer instanceof z.ZodObject && 'next' in endpoint.answer.shape
