import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { policyFile, policySchema, readPolicy } from '../../../../src-main/policy/policy'
import { AppStartError } from '../../../../src-main/database/start-error'
import { removeFolder } from '../../../remove-folder'

const repository = join(import.meta.dirname, '../../../..')

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'countertag policy '))
  onTestFinished(() => removeFolder(folder))
  const file = join(folder, 'policy.json')
  writeFileSync(file, text)
  return file
}

/** The message of a refusal, without the file's name. */
function refusalOf(file: string): string {
  try {
    readPolicy(file)
  } catch (cause) {
    if (!(cause instanceof AppStartError)) throw cause
    expect([cause.code, cause.message.startsWith(`The policy in ${file} can't be used: `)]).toEqual([
      'policy/invalid',
      true,
    ])
    return cause.message.slice(`The policy in ${file} can't be used: `.length)
  }
  throw new Error('it was read')
}

const profile = {
  name: 'Green Door',
  baseUrl: 'https://service.example',
  retailAuthUrl: 'https://retail.service.example',
}
const policyWith = (different: object) => JSON.stringify({ profile: { ...profile, ...different } })

describe('a policy', () => {
  it('can be missing, and so can its folder', () => {
    const file = fileWith('{}')
    expect([readPolicy(`${file}.none`), readPolicy(join(file, 'none'))]).toEqual([undefined, undefined])
  })

  it('can be empty', () => {
    expect(readPolicy(fileWith('{}'))).toEqual({})
  })

  it('is read with defaults for missing fields, also after the byte order mark of Windows editors', () => {
    const text = JSON.stringify({
      $schema: 'https://example/policy.schema.json',
      profile: { ...profile, baseUrl: 'https://service.example/', caFile: 'C:\\certs\\company.pem' },
      allowOtherConnections: false,
      allowPractice: false,
      updates: { isAllowed: false, channel: 'beta', url: 'https://updates.example/countertag' },
      lock: { afterMinutes: 5, isPinRequired: true },
    })
    expect(readPolicy(fileWith(`\uFEFF${text}`))).toMatchObject({
      profile: {
        kind: 'production',
        name: 'Green Door',
        baseUrl: 'https://service.example',
        retailAuthUrl: 'https://retail.service.example',
        sourcingAuthUrl: null,
        dispensaryId: null,
        sendsSku: false,
        caFile: 'C:\\certs\\company.pem',
      },
      allowPractice: false,
      updates: { isAllowed: false, channel: 'beta', url: 'https://updates.example/countertag' },
      lock: { afterMinutes: 5, isPinRequired: true },
    })
  })

  it.each<[what: string, text: string, says: RegExp]>([
    ['is empty', '', /^it is not JSON/],
    ["isn't JSON", '{"profile":', /^it is not JSON/],
    ['has a trailing comma', '{"allowPractice": true,}', /^it is not JSON/],
    ["isn't JSON, on several lines", '{\n  "lock":\n\n  {,}\n}', /^it is not JSON \([^\n]*\)\.$/],
    ['is a list', '[]', /^the file: .*expected object/],
    ['is a text', '"{}"', /^the file: .*expected object/],
    ['is null', 'null', /^the file: .*expected object/],
    ['is far too long', ' '.repeat(100_001), /^it is longer/],
    ['has an unknown field', '{"allowPractise": false}', /^allowPractise: unknown field\.$/],
    [
      'has unknown fields deep in it',
      '{"lock": {"minutes": 3, "pin": "1234"}}',
      /^lock\.minutes: unknown field; lock\.pin: unknown field\.$/,
    ],
    ['has a secret in it', policyWith({ clientSecret: 'x' }), /^profile\.clientSecret: unknown field\.$/],
    ['has a connection without a name', '{"profile": {"baseUrl": "https://a.example"}}', /^profile\.name: /],
    ['has a connection with an empty name', policyWith({ name: ' ' }), /^profile\.name: /],
    ['has a connection with a long name', policyWith({ name: 'x'.repeat(61) }), /^profile\.name: /],
    ['has a connection without an address', '{"profile": {"name": "a"}}', /^profile\.baseUrl: /],
    [
      'has an address without TLS',
      policyWith({ baseUrl: 'http://service.example' }),
      /^profile\.baseUrl: must be an https address/,
    ],
    [
      'has an address with a password',
      policyWith({ baseUrl: 'https://a:b@service.example' }),
      /^profile\.baseUrl: must be an https address/,
    ],
    [
      'has no address at all',
      policyWith({ retailAuthUrl: 'retail' }),
      /^profile\.retailAuthUrl: must be an https address/,
    ],
    ['has null for an address', policyWith({ sourcingAuthUrl: null }), /^profile\.sourcingAuthUrl: .*expected string/],
    [
      'has a connection without an account',
      '{"profile": {"name": "a", "baseUrl": "https://a.example"}}',
      /^profile\.retailAuthUrl: retailAuthUrl or sourcingAuthUrl is needed\.$/,
    ],
    [
      'has a production service on this computer',
      policyWith({ baseUrl: 'http://127.0.0.1:8080' }),
      /^profile\.baseUrl: a production service is never on this computer\.$/,
    ],
    ['has an unknown kind', policyWith({ kind: 'practice' }), /^profile\.kind: /],
    ['has a text instead of a boolean', policyWith({ sendsSku: 'yes' }), /^profile\.sendsSku: .*expected boolean/],
    ['has a relative path', policyWith({ caFile: 'company.pem' }), /^profile\.caFile: must be a whole path\.$/],
    ['has a name with a hidden character', policyWith({ name: 'Green\u200B Door' }), /^profile\.name: has invisible/],
    ['has an empty id', policyWith({ dispensaryId: '' }), /^profile\.dispensaryId: /],
    [
      'leaves nothing to sell with',
      '{"allowOtherConnections": false}',
      /^allowOtherConnections: without a profile there would be nothing to sell with\.$/,
    ],
    [
      'leaves nothing to open',
      '{"allowPractice": false}',
      /^allowPractice: without a profile there would be nothing to open\.$/,
    ],
    ['has a quoted boolean', '{"allowOtherConnections": "false"}', /^allowOtherConnections: .*expected boolean/],
    ['has an unknown channel', '{"updates": {"channel": "nightly"}}', /^updates\.channel: /],
    [
      'has updates without TLS',
      '{"updates": {"url": "http://updates.example"}}',
      /^updates\.url: must be an https address/,
    ],
    [
      'has updates on this computer',
      '{"updates": {"url": "http://127.0.0.1:1"}}',
      /^updates\.url: must be an https address/,
    ],
    ['has no minutes', '{"lock": {"afterMinutes": 0}}', /^lock\.afterMinutes: /],
    ['has too many minutes', '{"lock": {"afterMinutes": 241}}', /^lock\.afterMinutes: /],
    ['has half a minute', '{"lock": {"afterMinutes": 1.5}}', /^lock\.afterMinutes: /],
    ['has minutes as a text', '{"lock": {"afterMinutes": "5"}}', /^lock\.afterMinutes: /],
    ['has a list for a part', '{"lock": []}', /^lock: .*expected object/],
    [
      'has two faults',
      '{"allowPractice": 1, "lock": {"isPinRequired": 1}}',
      /^allowPractice: .*; lock\.isPinRequired: /,
    ],
  ])('that %s is refused, by field and reason', (_what, text, says) => {
    expect(refusalOf(fileWith(text))).toMatch(says)
  })

  it('that is a folder is refused', () => {
    const file = `${fileWith('{}')}.folder`
    mkdirSync(file)
    expect(refusalOf(file)).toBe("it can't be read (EISDIR).")
  })

  it('has a current schema; if not: npm run policy:schema', () => {
    const kept: unknown = JSON.parse(readFileSync(join(repository, 'resources/policy.schema.json'), 'utf8'))
    expect(kept).toEqual(JSON.parse(JSON.stringify(policySchema())))
  })

  it('is documented in docs/policy.md with a valid example and all field names', () => {
    const page = readFileSync(join(repository, 'docs/policy.md'), 'utf8')
    const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? []
    expect(readPolicy(fileWith(example))).toMatchObject({ profile: { kind: 'production' } })
    const fields = [...JSON.stringify(policySchema()).matchAll(/"(\w+)":\{"(?:default|description|type|allOf)/g)].map(
      ([, name]) => name ?? '',
    )
    expect(fields).toContain('isPinRequired')
    expect(fields.filter((name) => name !== 'properties' && !page.includes(name))).toEqual([])
  })
})

describe('the location of a policy', () => {
  const own = { COUNTERTAG_POLICY: '/tmp/policy.json', ProgramData: 'D:\\ProgramData' }
  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, boolean, string]>([
    ['win32', own, true, 'C:\\ProgramData\\Countertag\\policy.json'],
    ['win32', {}, true, 'C:\\ProgramData\\Countertag\\policy.json'],
    ['win32', { ProgramData: 'here' }, true, 'C:\\ProgramData\\Countertag\\policy.json'],
    ['darwin', own, true, '/Library/Application Support/Countertag/policy.json'],
    ['linux', own, true, '/etc/countertag/policy.json'],
    ['linux', {}, false, '/etc/countertag/policy.json'],
    ['linux', { COUNTERTAG_POLICY: '' }, false, '/etc/countertag/policy.json'],
    ['linux', own, false, '/tmp/policy.json'],
  ])('on %s with %j (packaged: %j) is %s', (platform, environment, isPackaged, file) => {
    expect(policyFile({ platform, environment, isPackaged, isFolder: () => true })).toBe(file)
  })

  it("follows the environment of a packaged app only if Windows isn't on drive C", () => {
    const place = { platform: 'win32', environment: own, isPackaged: true } as const
    expect(policyFile({ ...place, isFolder: () => false })).toBe('D:\\ProgramData\\Countertag\\policy.json')
  })
})
