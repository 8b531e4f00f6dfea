import { gzipSync } from 'node:zlib'
import { type Misbehaviour, type Visit, ofReports } from '../misbehaviour'
import { type BodySource, type Header, plainYes, says } from '../wire'

/** A 200 whose body confirms nothing: the report was taken or not, and the answer doesn't say which. */

interface Odd {
  name: string
  body: BodySource
  contentType?: string
  headers?: Header[]
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const gzip: Header[] = [['Content-Encoding', 'gzip']]

const unclear: Odd[] = [
  { name: 'a firewall says "Blocked by"', body: 'Blocked by WebShield policy 7', contentType: 'text/plain' },
  { name: 'the same, called JSON', body: 'Blocked by WebShield policy 7' },
  { name: 'a text "OK"', body: 'OK', contentType: 'text/plain' },
  { name: 'truncated JSON', body: plainYes.slice(0, 24) },
  { name: 'JSON with something behind it', body: `${plainYes}}` },
  { name: 'null', body: 'null' },
  { name: 'an empty list', body: '[]' },
  { name: 'an empty object', body: '{}' },
  { name: 'true', body: 'true' },
  { name: 'false', body: 'false' },
  { name: 'a number', body: '42' },
  { name: 'an empty text', body: '""' },
  { name: 'a text "error"', body: '"error"' },
  { name: '{"error"}', body: '{"error":"The backend is away."}' },
  { name: '{"errors"}', body: '{"errors":[{"message":"The backend is away."}]}' },
  { name: '{"errors"} as GraphQL', body: '{"data":null,"errors":[{"message":"no"}]}' },
  { name: '{"success": false}', body: '{"success":false}' },
  { name: '{"ok": false}', body: '{"ok":false}' },
  { name: '{"valid_transaction": false}', body: '{"valid_transaction":false}' },
  { name: '{"status": "error"}', body: '{"status":"error"}' },
  { name: '{"status": "failure"}', body: '{"status":"failure","request_id":null}' },
  { name: '{"status": 500}', body: '{"status":500,"title":"Internal Server Error"}' },
  { name: 'an HTML page', body: '<!doctype html><title>Sign in</title>', contentType: 'text/html' },
  { name: 'an HTML page, called JSON', body: '<!doctype html><title>Sign in</title>' },
  { name: 'nothing', body: '' },
  { name: 'white space', body: ' \r\n\t ' },
  { name: 'XML', body: '<?xml version="1.0"?><fault>no</fault>', contentType: 'application/xml' },
  { name: 'a yes in unrequested gzip', body: gzipSync(plainYes), headers: gzip },
  { name: 'an error in gzip', body: gzipSync('{"error":"no"}'), headers: gzip },
  { name: 'broken gzip', body: gzipSync(plainYes).subarray(0, 20), headers: gzip },
  { name: 'gzip that is not named', body: gzipSync(plainYes) },
  { name: 'UTF-16', body: utf16(plainYes) },
  { name: 'NUL bytes', body: Buffer.alloc(64) },
  { name: 'an error behind a BOM', body: '\uFEFF{"error":"no"}' },
  { name: 'bytes that are no UTF-8', body: Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x80]) },
  { name: 'JSON 10,000 levels deep', body: '['.repeat(10_000) + ']'.repeat(10_000) },
  { name: 'objects 10,000 levels deep', body: '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000) },
  { name: 'a failure under a doubled key', body: '{"status":"success","status":"error"}' },
  { name: 'a prototype', body: '{"__proto__":{"status":"success"},"constructor":{"prototype":{}}}' },
]

const odd = unclear.flatMap(({ name, body, ...said }) =>
  ofReports({ name: `200 with ${name}`, family: 'bodies' }, says(200, body, said)),
)

/** The customer that the request names. The station can't recognize the customer of another order as one. */
const customerIn = ({ asked, secrets }: Visit) =>
  asked.body.includes(secrets.customerId) ? secrets.customerId : 'another'

/** Refusals of reports that were not taken, with texts made to do harm. */
const harmful: Odd[] = [
  { name: 'built to be slow to search', body: () => JSON.stringify({ message: 'already '.repeat(25_000) }) },
  { name: 'of 8 MB', body: () => JSON.stringify({ detail: 'no '.repeat(2_700_000) }) },
  { name: 'with a message of 8 MB', body: () => JSON.stringify({ message: 'no '.repeat(2_700_000) }) },
  {
    name: 'that names 300,000 items',
    body: () =>
      JSON.stringify({
        items: { invalid: [], valid: [], unknown: Array.from({ length: 300_000 }, (_, n) => `Tag${n}`) },
      }),
  },
  {
    name: 'with 50,000 fields',
    body: () => JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`field${n}`, ['no']]))),
  },
  { name: 'with the keys of a prototype', body: '{"__proto__":["no"],"constructor":["no"],"toString":["no"]}' },
  { name: '10,000 levels deep', body: () => '{"a":'.repeat(10_000) + '["no"]' + '}'.repeat(10_000) },
  { name: 'of control characters', body: JSON.stringify({ detail: '\u0000\u001b[2J\u202Egnorw\u2066' }) },
  { name: 'that repeats the token', body: ({ asked }) => JSON.stringify({ detail: `Bearer ${asked.token} may not` }) },
  {
    name: 'that repeats the token among its fields',
    body: ({ asked }) => JSON.stringify({ [asked.token]: ['no'], order_id: [`${asked.token} may not`] }),
  },
  {
    name: 'that repeats the token in a message',
    body: ({ asked }) => JSON.stringify({ message: `token=${asked.token}` }),
  },
  {
    name: 'that repeats the client secret',
    body: ({ secrets }) => JSON.stringify({ detail: `client ${secrets.clientSecret} may not` }),
  },
  {
    name: 'that repeats the customer',
    body: (visit) => JSON.stringify({ detail: `customer ${customerIn(visit)} may not` }),
  },
  {
    name: 'that repeats the customer and token as items',
    body: (visit) =>
      JSON.stringify({
        message: 'This transaction contains non-imported TagIDs.',
        non_imported_tagids: [visit.asked.token, customerIn(visit)],
        valid_transaction: false,
      }),
  },
]

const refusals = harmful.flatMap(({ name, body, ...said }) =>
  ofReports({ name: `a refusal ${name}`, family: 'bodies' }, says(400, body, said), {
    only: ['complete', 'return'],
    truths: [false],
  }),
)

export const bodies: Misbehaviour[] = [...odd, ...refusals]
