import { describe, expect, it } from 'vitest'
import { largestConnectFile, readConnectFile } from '../../../src-shared/connect-file'

const read = (value: unknown) => readConnectFile(JSON.stringify(value))
const refused = (value: unknown) => {
  const answer = read(value)
  return answer.ok ? answer : [answer.error.reason, answer.error.fields]
}
const addresses = {
  name: 'Green Door',
  kind: 'production',
  baseUrl: 'https://service.example/',
  retailAuthUrl: 'https://auth.example/o/token/',
}

describe('a connect file', () => {
  it('fills in addresses, with the sign-in URL as Countertag needs it', () => {
    expect(read(addresses)).toEqual({
      ok: true,
      value: { ...addresses, baseUrl: 'https://service.example', retailAuthUrl: 'https://auth.example' },
    })
    expect(readConnectFile(`\uFEFF${JSON.stringify({ dispensaryId: 'd-1' })}`).ok).toBe(true)
  })

  it.each([
    ['a client id', { ...addresses, client_id: 'x' }, ['secret', 'client_id']],
    ['a nested secret', { ...addresses, retail: { clientSecret: 'x' } }, ['secret', 'clientSecret']],
    ['an unknown field', { ...addresses, colour: 'green' }, ['unknown', 'colour']],
    ['an address without https', { ...addresses, baseUrl: 'http://service.example' }, ['wrong', 'baseUrl']],
    ['an address with a password in it', { baseUrl: 'https://a:b@service.example' }, ['wrong', 'baseUrl']],
    ['a wrong type', { ...addresses, kind: 'real' }, ['wrong', 'kind']],
    ['a name that turns the text around', { name: 'Till \u202Egnp' }, ['wrong', 'name']],
    ['half of a character in its name', { name: 'Till \uD83D' }, ['wrong', 'name']],
    ['a file on another computer', { ...addresses, caFile: '\\\\host\\share\\ca.pem' }, ['wrong', 'caFile']],
    ['an address of a file', { ...addresses, caFile: 'file://host/ca.pem' }, ['wrong', 'caFile']],
    ['an address that a parser reads differently', { baseUrl: 'https:\\\\service.example' }, ['wrong', 'baseUrl']],
    ['a line break in an address', { baseUrl: 'https://serv\nice.example' }, ['wrong', 'baseUrl']],
    ['a hidden character in an address', { baseUrl: 'https://service.example/\u200B' }, ['wrong', 'baseUrl']],

    ['a list', [addresses], ['type', '']],
    ['nothing', {}, ['type', '']],
    ['a text', 'https://service.example', ['type', '']],
  ])('is refused with %s', (_, file, why) => {
    expect(refused(file)).toEqual(why)
  })

  it("is refused if it isn't JSON or is too large", () => {
    expect(readConnectFile('{')).toMatchObject({ error: { reason: 'type' } })
    expect(readConnectFile(' '.repeat(largestConnectFile + 1))).toMatchObject({ error: { reason: 'size' } })
  })
})
