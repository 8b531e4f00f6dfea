import { type TagId, ShortUuid, TagId as TagIdSchema, toShortUuid } from '../../src-shared/ids'
import type { TagFacts } from '../../src-shared/service/facts'

/** Products of the bench: more than the largest cart has lines, so that each of its items can have its own line. */
const products = 600

const hex = (n: number) => n.toString(16).padStart(12, '0')

/** The `n`-th id of this bench, in short form. */
export const shortIdOf = (n: number): string => toShortUuid(`7c3f5a1e-94b2-4d08-a6e1-${hex(n * 7_919)}`) ?? ''

export const tagIdOf = (n: number): TagId => TagIdSchema.parse(shortIdOf(n))
/** The label text of the `n`-th item. */
export const codeOf = (n: number) => `https://tag.example/${shortIdOf(n)}`

/** The station's memory of the `n`-th item. Consecutive items have different products: each scan adds a line. */
export const factsOf = (n: number): TagFacts => ({
  tagId: tagIdOf(n),
  caseId: null,
  productId: ShortUuid.parse(toShortUuid(`0b9d6c44-1f27-4c6e-8a35-${hex(n % products)}`)),
  productName: nameOf(n),
  brandName: 'Bench Farms',
  pictureUrl: null,
  isImported: true,
  soldOn: null,
})

/** No name is a prefix of another one. */
export const nameOf = (n: number) => `Night Bloom no. ${n % products}, 3.5 g`
