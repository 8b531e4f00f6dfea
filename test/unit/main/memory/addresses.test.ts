import { describe, expect, it } from 'vitest'
import { addressesIn } from '../../../../src-main/memory/find/entities'
import { coaBody } from '../../../../src-main/memory/find/certificate'
import { productBody } from '../../../../src-main/memory/find/product'
import { EntityView } from '../../../../src-shared/ipc/contract/find'
import { DigitalCoaV15 } from '../../../../src-shared/service/coas'
import { Product } from '../../../../src-shared/service/products'
import * as wire from '../../../fixtures/wire'

const view = (body: object | undefined) =>
  EntityView.parse({
    ...body,
    knowledge: { source: 'now', knownAt: '2026-10-01T10:00:00.000Z' },
    unreachable: null,
    missing: [],
    operations: [],
  })
const described = (description: string) => {
  const product = Product.parse({ ...wire.productV12(wire.short), description, documents: [], videos: [] })
  return addressesIn(view(productBody({ product, productV15: undefined })))
}

describe('the addresses that a view may open', () => {
  it('include both addresses of a certificate', () => {
    const coa = DigitalCoaV15.parse(wire.coa(wire.long))
    expect(addressesIn(view(coaBody(coa, null)))).toEqual(['https://lab.example/1.pdf', 'https://lab.example/1'])
    expect(addressesIn(view(coaBody({ ...coa, certificate_url: 'http://lab.example/1' }, null)))).toHaveLength(1)
  })

  it('include each link in a description, resolved as in a browser', () => {
    for (const [html, address] of [
      ['<a href="https://a.example/?x=1&amp;y=2">a</a>', 'https://a.example/?x=1&y=2'],
      ["<A HREF = 'https://a.example/b'>a</A>", 'https://a.example/b'],
      ['<a href=https://a.example/c>a</a>', 'https://a.example/c'],
      ['<a title="x" href="HTTPS://A.example">a</a>', 'https://a.example/'],
      ['<a href="https://a.example/&#x64;&#101;">a</a>', 'https://a.example/de'],
    ] as const) {
      expect(described(html), html).toEqual([address])
    }
  })

  it('include nothing else in a description', () => {
    for (const html of [
      'https://a.example/',
      '<img src="https://a.example/p.png">',
      '<a href="http://a.example/">a</a>',
      '<a href="javascript:alert(1)">a</a>',
      '<a href="https://tag.example@a.example/">a</a>',
      '<a href="https://&#1;&#x110000;/">a</a>',
      '<a href="',
      'href='.repeat(5_000),
    ]) {
      expect(described(html), html.slice(0, 60)).toEqual([])
    }
  })
})
