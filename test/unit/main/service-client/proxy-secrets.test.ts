import { describe, expect, it } from 'vitest'
import { secretsOfProxy } from '../../../../src-main/service/routes'

describe('the secrets of a proxy', () => {
  it.each([
    [
      'http://till:s3cr%C3%A9t-word@proxy.example:3128',
      ['s3crét-word', Buffer.from('till:s3crét-word').toString('base64')],
    ],
    ['till:100%-right@proxy.example:3128', ['100%-right', Buffer.from('till:100%-right').toString('base64')]],
    ['http://till@proxy.example:3128', []],
    ['proxy.example:3128', []],
    ['not an address', []],
    ['', []],
  ])('of %j are its password, plain and as in the header', (proxy, secrets) => {
    expect(secretsOfProxy({ HTTPS_PROXY: proxy })).toEqual(secrets)
  })
})
