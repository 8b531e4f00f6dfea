import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { verdict } from '../../fakes/verdicts'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import type { AppError, ErrorCode } from '../../../src-shared/errors'
import { CountId } from '../../../src-shared/ids'
import { Locale } from '../../../src-shared/ipc/contract/app'
import { dateOf } from '../../../src-renderer/text/moments'
import { en } from '../../../src-renderer/text/en'
import { es } from '../../../src-renderer/text/es'
import { explain } from '../../../src-renderer/text/errors'
import { type Values, language, more, say, write } from '../../../src-renderer/text/text.svelte'

const catalogues = { en, es }
const others = Locale.options.filter((locale) => locale !== 'en')

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** The parser's number for words. Its enum can't be imported here. */
const literal: number = 0
const isLiteral = ({ type }: { type: number }) => type === literal

const parse = (message: string) => new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst()

/** Every element of a message, at any depth. */
const flat = (elements: Element[]): Element[] =>
  elements.flatMap((element) => [
    element,
    ...('options' in element ? Object.values(element.options).flatMap(({ value }) => flat(value)) : []),
  ])

/** The names of the values that a message uses. */
const namesIn = (message: string) =>
  [...new Set(flat(parse(message)).flatMap((one) => ('value' in one && !isLiteral(one) ? [one.value] : [])))].sort()

/** The literal words of a message. */
const wordsIn = (message: string) =>
  flat(parse(message))
    .flatMap((one) => ('value' in one && isLiteral(one) ? [one.value] : []))
    .join(' ')

const moment = new Date(2026, 10, 12, 14, 2, 11)

/** A value for every name: numbers where a plural needs one, dates where a date is written, times in their own text. */
function valuesFor(message: string): Values {
  const valueOf = (name: string) => {
    if (new RegExp(`\\{${name}, (date|time)`).test(message)) return moment
    if (['at', 'since', 'until'].includes(name)) return { key: 'time.short' as const, values: { at: moment } }
    return new RegExp(`\\{${name}, (plural|number)`).test(message) ? 2 : 'x'
  }
  return Object.fromEntries(namesIn(message).map((name) => [name, valueOf(name)]))
}

const keys = Object.keys(en).filter((key): key is keyof typeof en => Object.hasOwn(en, key))

describe('the catalogues', () => {
  it.each(Locale.options)('have each key in one file only, in %s', (locale) => {
    const folder = join(import.meta.dirname, '../../../src-renderer/text', locale)
    const found = readdirSync(folder)
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}'([^']+)':/gm)])
      .map(([, key]) => key)
    expect(found.filter((key, at) => found.indexOf(key) !== at)).toEqual([])
    expect(found.toSorted()).toEqual(Object.keys(catalogues[locale]).toSorted())
  })

  it.each(others)('name the same values in English and in %s', (locale) => {
    const texts = catalogues[locale]
    for (const key of keys) expect(namesIn(texts[key]), key).toEqual(namesIn(en[key]))
  })

  it('can be formatted, every message in every language', () => {
    for (const key of keys) {
      for (const locale of Locale.options) {
        const written = write(locale, key, valuesFor(catalogues[locale][key]))
        expect(written, key).not.toMatch(/[{}]|^$/)
        // A Spanish time ends with its own full stop: "2:02 p.m."
        expect(written, key).not.toContain('..')
      }
    }
  })

  it('say the same without a placeholder as if they were parsed', () => {
    for (const locale of Locale.options) {
      for (const key of keys) {
        const text = catalogues[locale][key]
        if (!text.includes('{')) expect(wordsIn(text), key).toBe(text)
      }
    }
  })

  it.each(others)('hold no text that was left untranslated in %s', (locale) => {
    const texts = catalogues[locale]
    const same = keys.filter((key) => en[key] === texts[key] && /\p{Letter}{4}/u.test(wordsIn(en[key])))
    expect(same).toEqual(['journal.actor.station'])
  })
})

describe('a message inside a message', () => {
  it('is written in the language of the message around it', () => {
    const values = { what: { key: 'operation.the.complete' as const, values: { orderId: '17' } } }
    const written = (locale: 'en' | 'es') => write(locale, 'outbox.why.held-up.rejected', values)
    expect(written('en')).toBe('Waits for the sale of order 17, which needs attention.')
    expect(written('es')).toBe('Espera a la venta del pedido 17, que requiere atención.')
  })
})

describe('a list inside a message', () => {
  it('is written as the language lists things', () => {
    const values = { kind: 'complete', names: ['Blue Dune', 'Sea Salt', more(1_200)] }
    const written = (locale: 'en' | 'es') => write(locale, 'outbox.refused-for', values)
    expect(written('en')).toBe('The whole order was refused because of: Blue Dune, Sea Salt, and 1,200 more.')
    expect(written('es')).toBe('Todo el pedido fue rechazado por: Blue Dune, Sea Salt y 1,200 más.')
  })
})

describe('errors', () => {
  const examples: Record<ErrorCode, AppError> = {
    'ipc/unknown-call': { code: 'ipc/unknown-call', call: 'x' },
    'ipc/invalid-input': { code: 'ipc/invalid-input', issues: [] },
    'ipc/forbidden-sender': { code: 'ipc/forbidden-sender' },
    'ipc/disconnected': { code: 'ipc/disconnected' },
    'app/unexpected': { code: 'app/unexpected', reference: 'r1' },
    'app/saved-unseen': { code: 'app/saved-unseen', reference: 'r1' },
    'app/reopened': { code: 'app/reopened' },
    'connection/address': {
      code: 'connection/address',
      of: 'sign-in',
      reason: 'server',
      host: 'h.test',
      url: 'https://h.test/o/token/',
    },
    'store/no-backup': { code: 'store/no-backup' },
    'connect-file/unusable': { code: 'connect-file/unusable', reason: 'secret', fields: 'client_id' },
    'gate/not-asked': { code: 'gate/not-asked', gate: 'void', count: 2, name: '17', wants: 'reason' },
    'gate/reason-missing': { code: 'gate/reason-missing' },
    'gate/pin-missing': { code: 'gate/pin-missing' },
    'service/unreachable': { code: 'service/unreachable' },
    'service/out-of-files': { code: 'service/out-of-files' },
    'service/not-trusted': { code: 'service/not-trusted', reason: 'issuer' },
    'service/credentials-refused': { code: 'service/credentials-refused' },
    'service/credentials-missing': { code: 'service/credentials-missing' },
    'service/forbidden': { code: 'service/forbidden' },
    'service/busy': { code: 'service/busy' },
    'service/failing': { code: 'service/failing', status: 500 },
    'service/unreadable': { code: 'service/unreadable', path: null },
    'service/unproven': { code: 'service/unproven', status: 200, said: 'Blocked' },
    'outbox/unsettled': { code: 'outbox/unsettled', status: 200, said: 'Blocked' },
    'service/foreign-host': { code: 'service/foreign-host' },
    'service/origin-collection': { code: 'service/origin-collection' },
    'service/other-company': { code: 'service/other-company' },
    'collection/no-account': { code: 'collection/no-account' },
    'collection/is-removed': { code: 'collection/is-removed', identifier: 'HF 1' },
    'collection/not-removed': { code: 'collection/not-removed', identifier: 'HF 1' },
    'collection/not-in-it': { code: 'collection/not-in-it', tagId: 'x' },
    'collection/is-in-it': { code: 'collection/is-in-it', tagId: 'x' },
    'collection/choose-product': { code: 'collection/choose-product', identifier: 'HF 1' },
    'collection/product-not-in-case': { code: 'collection/product-not-in-case', identifier: 'HF 1' },
    'service/not-found': { code: 'service/not-found', id: 'x' },
    'service/other-dispensary': { code: 'service/other-dispensary', detail: 'd' },
    'service/already-imported': { code: 'service/already-imported', detail: 'd' },
    'service/package-unknown': { code: 'service/package-unknown', detail: 'd' },
    'service/invalid-fields': { code: 'service/invalid-fields', fields: { sku: ['too long'] } },
    'service/malformed-tags': { code: 'service/malformed-tags', tagIds: ['x'] },
    'service/unknown-tags': { code: 'service/unknown-tags', tagIds: ['x'], invalid: [] },
    'service/not-imported': { code: 'service/not-imported', tagIds: ['x', 'y'] },
    'service/already-processed': { code: 'service/already-processed', detail: 'd' },
    'service/items-missing': { code: 'service/items-missing' },
    'service/refused': { code: 'service/refused', status: 400, detail: 'd' },
    'scan/not-a-code': { code: 'scan/not-a-code', text: 'x' },
    'scan/several-codes': { code: 'scan/several-codes' },
    'scan/wrong-place': { code: 'scan/wrong-place', found: 'tag', expected: 'case' },
    'checkout/duplicate': { code: 'checkout/duplicate', tagId: 'x' },
    'checkout/already-sold': {
      code: 'checkout/already-sold',
      tagId: 'x',
      orderId: '1',
      soldAt: '2026-11-12T10:00:00Z',
    },
    'checkout/already-returned': { code: 'checkout/already-returned', tagId: 'x', orderId: '1' },
    'checkout/in-other-order': { code: 'checkout/in-other-order', tagId: 'x', orderId: '1' },
    'checkout/in-refused-order': { code: 'checkout/in-refused-order', tagId: 'T', orderId: '10482' },
    'checkout/cart-changed': { code: 'checkout/cart-changed' },
    'checkout/cart-not-empty': { code: 'checkout/cart-not-empty' },
    'checkout/order-needs-attention': { code: 'checkout/order-needs-attention', orderId: '10482' },
    'checkout/empty-cart': { code: 'checkout/empty-cart' },
    'checkout/order-id-missing': { code: 'checkout/order-id-missing' },
    'checkout/order-id-used': { code: 'checkout/order-id-used', orderId: '1' },
    'checkout/order-voided': { code: 'checkout/order-voided', orderId: '1' },
    'checkout/order-unknown': { code: 'checkout/order-unknown', orderId: '1' },
    'checkout/in-open-order': { code: 'checkout/in-open-order', tagId: 'x', orderId: '1' },
    'checkout/sold-elsewhere': { code: 'checkout/sold-elsewhere', tagId: 'x', soldOn: '2026-11-12T10:00:00Z' },
    'checkout/unchecked': { code: 'checkout/unchecked', tagId: 'x' },
    'checkout/not-sellable': {
      code: 'checkout/not-sellable',
      tagId: 'x',
      verdict: verdict('sister-store', { dispensary: 'Green Door, Hoboken' }),
    },
    'checkout/claimed': {
      code: 'checkout/claimed',
      tagId: 't',
      productName: 'Blue Dune, 3.5 g',
      by: {
        station: 'Front 2',
        stationId: 's',
        orderId: '1004',
        since: '2026-03-01T12:04:00.000Z',
        isSold: false,
        revision: 3,
      },
    },
    'checkout/not-claimed': { code: 'checkout/not-claimed', tagId: 't' },
    'checkout/awaited': { code: 'checkout/awaited', tagId: 'x', stations: ['Till 2'] },
    'checkout/budtender-missing': { code: 'checkout/budtender-missing' },
    'checkout/order-begun': { code: 'checkout/order-begun', orderId: '1005' },
    'checkout/not-held': { code: 'checkout/not-held' },
    'checkout/held-elsewhere': { code: 'checkout/held-elsewhere' },
    'checkout/held-unreachable': { code: 'checkout/held-unreachable' },
    'checkout/nothing-to-hold': { code: 'checkout/nothing-to-hold' },
    'checkout/not-as-expected': { code: 'checkout/not-as-expected', expected: 6, scanned: 4 },
    'checkout/doubtful-items': { code: 'checkout/doubtful-items', count: 2 },
    'checkout/never-sold-here': { code: 'checkout/never-sold-here', tagId: 'x' },
    'receiving/already-importing': { code: 'receiving/already-importing', caseId: 'x' },
    'receiving/choose-product': { code: 'receiving/choose-product', caseId: 'x' },
    'receiving/bad-certificate': { code: 'receiving/bad-certificate', caseId: 'x' },
    'receiving/empty-case': { code: 'receiving/empty-case', caseId: 'x' },
    'receiving/unknown-package': { code: 'receiving/unknown-package', packageUid: '1A4060300020081000006609' },
    'receiving/no-delivery': { code: 'receiving/no-delivery' },
    'receiving/not-in-delivery': { code: 'receiving/not-in-delivery' },
    'receiving/delivery-open': { code: 'receiving/delivery-open' },
    'receiving/delivery-over': { code: 'receiving/delivery-over' },
    'receiving/no-count': { code: 'receiving/no-count' },
    'receiving/count-over': { code: 'receiving/count-over' },
    'receiving/reason-missing': { code: 'receiving/reason-missing' },
    'receiving/count-open': { code: 'receiving/count-open' },
    'receiving/importing-elsewhere': { code: 'receiving/importing-elsewhere', station: 'Station 2' },
    'receiving/settled-elsewhere': { code: 'receiving/settled-elsewhere', station: 'Station 2', isOff: false },
    'receiving/nothing-to-count': { code: 'receiving/nothing-to-count' },
    'receiving/not-a-difference': { code: 'receiving/not-a-difference', tagId: 'x' },
    'receiving/no-case-changes': { code: 'receiving/no-case-changes' },
    'receiving/catalogue-broken': { code: 'receiving/catalogue-broken' },
    'receiving/manifest-broken': { code: 'receiving/manifest-broken' },
    'receiving/no-manifest': { code: 'receiving/no-manifest' },
    'receiving/no-such-line': { code: 'receiving/no-such-line', line: 2 },
    'pos-day/broken': { code: 'pos-day/broken' },
    'pos-day/changed': { code: 'pos-day/changed' },
    'stock/no-count': { code: 'stock/no-count' },
    'stock/nothing-here': { code: 'stock/nothing-here' },
    'stock/not-read': { code: 'stock/not-read' },
    'stock/count-open': { code: 'stock/count-open', startedAt: '2026-11-21T14:00:00.000Z' },
    'stock/counted-elsewhere': {
      code: 'stock/counted-elsewhere',
      countId: CountId.parse('00000000-0000-4000-8000-000000000001'),
      station: 'Front 2',
      startedAt: '2026-11-21T14:00:00.000Z',
    },
    'stock/finished-elsewhere': { code: 'stock/finished-elsewhere', station: 'Front 2' },
    'stock/too-many-counts': { code: 'stock/too-many-counts', count: 20 },
    'stock/wrong-state': { code: 'stock/wrong-state', state: 'paused' },
    'stock/count-full': { code: 'stock/count-full' },
    'stock/no-differences': { code: 'stock/no-differences' },
    'stock/reason-misfit': { code: 'stock/reason-misfit' },
    'stock/reason-words': { code: 'stock/reason-words' },
    'stock/unexplained': { code: 'stock/unexplained', count: 3 },
    'stock/changed': { code: 'stock/changed' },
    'outbox/not-found': { code: 'outbox/not-found' },
    'outbox/no-outage': { code: 'outbox/no-outage' },
    'outbox/wrong-state': { code: 'outbox/wrong-state', state: 'accepted' },
    'outbox/unreadable': { code: 'outbox/unreadable' },
    'outbox/customer-lost': { code: 'outbox/customer-lost' },
    'outbox/time-unknown': { code: 'outbox/time-unknown' },
    'outbox/impossible-time': { code: 'outbox/impossible-time' },
    'store/not-saved': { code: 'store/not-saved' },
    'store/out-of-files': { code: 'store/out-of-files' },
    'store/unsure': { code: 'store/unsure' },
    'store/in-use': { code: 'store/in-use' },
    'hub/unreachable': { code: 'hub/unreachable' },
    'hub/station-there': { code: 'hub/station-there' },
    'hub/day-open': { code: 'hub/day-open' },
    'hub/day-changed': { code: 'hub/day-changed' },
    'hub/day-too-old': { code: 'hub/day-too-old' },
    'receiving/photo-unusable': { code: 'receiving/photo-unusable', reason: 'damaged' },
    'receiving/photo-gone': { code: 'receiving/photo-gone' },
    'receiving/record-full': { code: 'receiving/record-full', of: 'photos', most: 24 },
    'receiving/no-record': { code: 'receiving/no-record' },
    'till/no-pdf': { code: 'till/no-pdf' },
    'practice/not-active': { code: 'practice/not-active' },
    'keychain/missing': { code: 'keychain/missing' },
    'keychain/locked': { code: 'keychain/locked' },
    'keychain/denied': { code: 'keychain/denied' },
    'keychain/failing': { code: 'keychain/failing' },
    'keychain/vanished': { code: 'keychain/vanished' },
    'keychain/mismatch': { code: 'keychain/mismatch' },
    'profile/other-kind': { code: 'profile/other-kind' },
    'profile/unknown': { code: 'profile/unknown' },
    'profile/active': { code: 'profile/active' },
    'profile/unsent': { code: 'profile/unsent', count: 2 },
    'profile/other-account': { code: 'profile/other-account', count: 2 },
    'profile/unreadable-data': { code: 'profile/unreadable-data' },
    'profile/not-opened': { code: 'profile/not-opened' },
    'join/address': { code: 'join/address', reason: 'scheme' },
    'join/certificate': { code: 'join/certificate' },
    'join/password-missing': { code: 'join/password-missing' },
    'join/trouble': { code: 'join/trouble', trouble: 'name-taken', answer: null, freeName: null },
    'join/other-store': { code: 'join/other-store' },
    'join/code-needed': { code: 'join/code-needed', count: 2 },
    'join/code-unusable': { code: 'join/code-unusable', reason: 'expired' },
    'join/not-joined': { code: 'join/not-joined' },
    'join/unsent': { code: 'join/unsent', count: 1 },
    'keep/kept': { code: 'keep/kept' },
    'keep/not-kept': { code: 'keep/not-kept' },
    'keep/joined': { code: 'keep/joined' },
    'keep/other': { code: 'keep/other' },
    'keep/address': { code: 'keep/address' },
    'keep/failed': { code: 'keep/failed', reason: 'version', detail: '15' },
    'profile/no-ca-file': { code: 'profile/no-ca-file', path: 'company.pem' },
    'security/locked': { code: 'security/locked' },
    'security/wrong-pin': { code: 'security/wrong-pin', waitMs: 5_000 },
    'security/no-pin': { code: 'security/no-pin' },
    'security/pin-required': { code: 'security/pin-required' },
    'people/not-found': { code: 'people/not-found' },
    'people/short-name-taken': { code: 'people/short-name-taken' },
    'people/badge-taken': { code: 'people/badge-taken' },
    'people/badge-is-code': { code: 'people/badge-is-code' },
    'people/last-manager': { code: 'people/last-manager' },
    'people/wrong-pin': { code: 'people/wrong-pin', waitMs: 5_000 },
    'people/no-badge': { code: 'people/no-badge' },
    'people/who': { code: 'people/who' },
    'people/not-permitted': { code: 'people/not-permitted', needs: 'approve' },
    'policy/fixed': { code: 'policy/fixed' },
    'ipc/too-many': { code: 'ipc/too-many' },
    'ipc/too-large': { code: 'ipc/too-large' },
  }

  it.each(Object.values(examples))('say what happened, what it means and what to do next: $code', (error) => {
    const { what, means, next } = explain(error)
    for (const text of [what, means, next]) expect(say(text)).not.toBe('')
  })

  it('never show an error code', () => {
    for (const error of Object.values(examples)) {
      const { what, means, next } = explain(error)
      expect([what, means, next].map(say).join(' ')).not.toContain(error.code)
    }
  })

  it('have no text of a failure that does not exist', () => {
    const known = new Set([...Object.keys(examples), 'means', 'next'])
    const codes = keys.flatMap((key) => /^error\.([^.]+)\./.exec(key)?.[1] ?? [])
    expect(codes.filter((code) => !known.has(code))).toEqual([])
  })

  it('cut a quoted text that would fill the screen', () => {
    const { what } = explain({ code: 'scan/not-a-code', text: 'x'.repeat(500) })
    expect(say(what).length).toBeLessThan(120)
  })

  it('give the time of an earlier sale, and leave out an invalid time', () => {
    const sold = { code: 'checkout/already-sold' as const, tagId: 'x', orderId: '1' }
    expect(say(explain({ ...sold, soldAt: '2026-11-12T10:00:00Z' }).means)).toMatch(/2026/)
    expect(say(explain({ ...sold, soldAt: 'yesterday' }).means)).toBe('Not added.')
  })
})

describe('advice', () => {
  it.each(['service/unknown-tags', 'service/malformed-tags'] as const)(
    'is of the report that was refused: %s',
    (code) => {
      const error = { code, tagIds: ['x'], invalid: [] }
      const next = (kind: 'complete' | 'add-items') => say(explain(error, kind).next)
      expect(next('complete')).toContain('order')
      expect(next('complete')).not.toMatch(/Find|Outbox/)
      expect(next('add-items')).toContain('Find')
      expect(next('add-items')).not.toContain('order')
    },
  )
})

describe('a refused item', () => {
  const item = { tagId: 'x', productName: 'Blue Dune, 3.5 g' }
  const errors = [
    { ...item, code: 'checkout/duplicate' },
    { ...item, code: 'checkout/already-sold', orderId: '1', soldAt: '' },
    { ...item, code: 'checkout/already-returned', orderId: '1' },
    { ...item, code: 'checkout/in-other-order', orderId: '1' },
    { ...item, code: 'checkout/in-refused-order', orderId: '1' },
    { ...item, code: 'checkout/in-open-order', orderId: '1' },
    { ...item, code: 'checkout/sold-elsewhere', soldOn: '' },
    { ...item, code: 'checkout/unchecked' },
    { ...item, code: 'checkout/not-sellable', verdict: verdict('certificate-expired') },
  ] satisfies AppError[]

  it.each(errors)('is named, and only a scan says that it was not added: $code', (error) => {
    const { what } = explain(error)
    expect(say(what)).toMatch(/^Blue Dune, 3\.5 g: ./)
    for (const locale of ['en', 'es'] as const) {
      language.locale = locale
      const said = (step?: 'finish' | 'reopen') => say(explain({ ...error, step }).means)
      expect([said('finish'), said('reopen')].join()).not.toMatch(/[Nn]ot added|No se agregó/)
    }
    language.locale = 'en'
  })

  it('says what was not done: the scan, the end of the order, or taking an order back', () => {
    const said = (step?: 'finish' | 'reopen') =>
      say(explain({ ...item, code: 'checkout/in-other-order', orderId: '1', step }).means)
    expect(said()).toMatch(/Not added\.$/)
    expect(said('finish')).toMatch(/Nothing was reported\.$/)
    expect(said('reopen')).toMatch(/Nothing was changed\.$/)
    expect(say(explain({ code: 'checkout/duplicate', tagId: 'x' }).what)).toBe('Already in this order')
  })
})

describe('an item that is open in another order', () => {
  it('is in an order with a number, or in one without', () => {
    const open = { code: 'checkout/in-open-order' as const, tagId: 'x' }
    expect(say(explain({ ...open, orderId: '10482' }).what)).toBe('In order 10482, which is still open')
    expect(say(explain({ ...open, orderId: null }).what)).toBe('In another order that is still open')
  })

  it('was sold at another till; the time is named if it is valid', () => {
    const sold = { code: 'checkout/sold-elsewhere' as const, tagId: 'x' }
    expect(say(explain({ ...sold, soldOn: '2026-11-12T10:00:00Z' }).means)).toMatch(/2026/)
    expect(say(explain({ ...sold, soldOn: '' }).means)).toBe('The service has it as sold. Not added.')
  })
})

describe('dates', () => {
  it('read a calendar day as a local day in every time zone', () => {
    expect(dateOf('2026-03-01')?.getDate()).toBe(1)
  })

  it('give undefined for a text that is not a date', () => {
    expect(dateOf('soon')).toBeUndefined()
  })
})
