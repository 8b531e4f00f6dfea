import * as undici from 'undici'
import { expect, it } from 'vitest'
import * as parts from '../../../../src-main/service/undici'

it('are what undici offers under the same names', () => {
  const { request, ...classes } = parts
  for (const [name, part] of Object.entries(classes)) expect([name, part]).toEqual([name, Reflect.get(undici, name)])
  expect(Object.keys(classes)).toHaveLength(7)
  expect(request).not.toBe(undici.request)
})
