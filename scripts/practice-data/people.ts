import { id } from './ids'

/**
 * Companies and people. Green Door has two dispensaries; Corner Leaf is unrelated; three brands supply them, and one
 * brand is Green Door's own.
 */

export const companies = {
  greenDoor: { uuid: id('company', 'green-door'), name: 'Green Door Retail LLC' },
  cornerLeaf: { uuid: id('company', 'corner-leaf'), name: 'Corner Leaf Inc.' },
  hudson: { uuid: id('company', 'hudson-fields'), name: 'Hudson Fields Farms LLC' },
  ironbound: { uuid: id('company', 'ironbound'), name: 'Ironbound Extracts Co.' },
  sunday: { uuid: id('company', 'sunday-kitchen'), name: 'Sunday Kitchen Confections LLC' },
}

export const dispensaries = {
  newark: {
    uuid: id('dispensary', 'newark'),
    name: 'Green Door, Newark',
    state: 'NJ',
    company_uuid: companies.greenDoor.uuid,
  },
  hoboken: {
    uuid: id('dispensary', 'hoboken'),
    name: 'Green Door, Hoboken',
    state: 'NJ',
    company_uuid: companies.greenDoor.uuid,
  },
  stranger: {
    uuid: id('dispensary', 'jersey-city'),
    name: 'Corner Leaf, Jersey City',
    state: 'NJ',
    company_uuid: companies.cornerLeaf.uuid,
  },
}

const brand = (slug: string, company_uuid: string, name: string, town: string, description: string) => ({
  uuid: id('brand', slug),
  name,
  company_uuid,
  slug,
  description,
  website: `https://${slug}.example`,
  state: 'NJ',
  country: 'US',
  address: `1 Depot Road\n${town}, NJ`,
  updated_on: '2026-09-01T12:00:00Z',
})

export const brands = {
  hudson: brand(
    'hudson-fields',
    companies.hudson.uuid,
    'Hudson Fields',
    'Frenchtown',
    'Greenhouse flower, slowly cured and rolled by hand on the farm.',
  ),
  ironbound: brand(
    'ironbound',
    companies.ironbound.uuid,
    'Ironbound',
    'Newark',
    'Solventless and live extracts from a former foundry.',
  ),
  sunday: brand(
    'sunday-kitchen',
    companies.sunday.uuid,
    'Sunday Kitchen',
    'Asbury Park',
    'Gummies, chocolate and tinctures in small, even doses.',
  ),
  /** Green Door's own packing: it may change these cases. */
  house: brand(
    'green-door-house',
    companies.greenDoor.uuid,
    'Green Door House',
    'Newark',
    'House flower, packed in our own back room.',
  ),
}

const account = (client_id: string, rest: { product: string; company_uuid: string; dispensary_uuid?: string }) => ({
  client_id,
  // For practice only, and the same on every machine.
  client_secret: `${client_id}-secret`,
  brand_uuid: brands.hudson.uuid,
  ...rest,
})

export const accounts = [
  account('practice-newark', {
    product: 'retail',
    company_uuid: companies.greenDoor.uuid,
    dispensary_uuid: dispensaries.newark.uuid,
  }),
  account('practice-hoboken', {
    product: 'retail',
    company_uuid: companies.greenDoor.uuid,
    dispensary_uuid: dispensaries.hoboken.uuid,
  }),
  account('practice-stranger', {
    product: 'retail',
    company_uuid: companies.cornerLeaf.uuid,
    dispensary_uuid: dispensaries.stranger.uuid,
  }),
  account('practice-brand', { product: 'sourcing', company_uuid: companies.hudson.uuid }),
  account('practice-newark-sourcing', { product: 'sourcing', company_uuid: companies.greenDoor.uuid }),
]
