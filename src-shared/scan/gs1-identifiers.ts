/**
 * The application identifiers of GS1 barcodes with the form of their values: GS1 General Specifications, section 3, as in GS1's
 * Barcode Syntax Dictionary.
 *
 * A form is a row of parts: `n6` six digits, `n..8` one to eight, `x..20` one to twenty characters, in brackets if it may be
 * missing. `x`: the characters of GS1's set 82, `y`: of set 39, `z`: of base64url.
 */
const table: readonly (readonly [identifiers: string, form: string])[] = [
  ['00', 'n18'],
  ['01 02 03', 'n14'],
  ['10 21 22', 'x..20'],
  ['11 12 13 15 16 17', 'n6'],
  ['20', 'n2'],
  ['235', 'x..28'],
  ['240 241 250 251', 'x..30'],
  ['242', 'n..6'],
  ['243 254', 'x..20'],
  ['253', 'n13 [x..17]'],
  ['255', 'n13 [n..12]'],
  ['30 37', 'n..8'],
  ['310 311 312 313 314 315 316', 'decimals n6'],
  ['320 321 322 323 324 325 326 327 328 329', 'decimals n6'],
  ['330 331 332 333 334 335 336 337', 'decimals n6'],
  ['340 341 342 343 344 345 346 347 348 349', 'decimals n6'],
  ['350 351 352 353 354 355 356 357', 'decimals n6'],
  ['360 361 362 363 364 365 366 367 368 369', 'decimals n6'],
  ['390 392', 'decimals n..15'],
  ['391 393', 'decimals n3 n..15'],
  ['394', 'decimals n4'],
  ['395', 'decimals n6'],
  ['400 401 403', 'x..30'],
  ['402', 'n17'],
  ['410 411 412 413 414 415 416 417', 'n13'],
  ['420', 'x..20'],
  ['421', 'n3 x..9'],
  ['422 424 426', 'n3'],
  ['423 425', 'n..15'],
  ['427', 'x..3'],
  ['4300 4301 4310 4311 4320', 'x..35'],
  ['4302 4303 4304 4305 4306 4312 4313 4314 4315 4316', 'x..70'],
  ['4307 4317', 'x2'],
  ['4308 4319', 'x..30'],
  ['4309', 'n20'],
  ['4318', 'x..20'],
  ['4321 4322 4323', 'n1'],
  ['4324 4325', 'n10'],
  ['4326', 'n6'],
  ['4330 4331 4332 4333', 'n6 [x1]'],
  ['7001', 'n13'],
  ['7002', 'x..30'],
  ['7003', 'n10'],
  ['7004', 'n..4'],
  ['7005', 'x..12'],
  ['7006', 'n6'],
  ['7007', 'n6 [n6]'],
  ['7008', 'x..3'],
  ['7009', 'x..10'],
  ['7010', 'x..2'],
  ['7011', 'n6 [n4]'],
  ['7020 7021 7022', 'x..20'],
  ['7023', 'x..30'],
  ['7030 7031 7032 7033 7034 7035 7036 7037 7038 7039', 'n3 x..27'],
  ['7040', 'n1 x3'],
  ['7041', 'x..4'],
  ['710 711 712 713 714 715 716 717', 'x..20'],
  ['7230 7231 7232 7233 7234 7235 7236 7237 7238 7239', 'x2 x..28'],
  ['7240', 'x..20'],
  ['7241', 'n2'],
  ['7242', 'x..25'],
  ['7250', 'n8'],
  ['7251', 'n12'],
  ['7252', 'n1'],
  ['7253 7254 7259', 'x..40'],
  ['7256', 'x..90'],
  ['7255', 'x..10'],
  ['7257', 'x..70'],
  ['7258', 'x3'],
  ['8001', 'n14'],
  ['8002', 'x..20'],
  ['8003', 'n14 [x..16]'],
  ['8004', 'x..30'],
  ['8005', 'n6'],
  ['8006 8026', 'n18'],
  ['8007', 'x..34'],
  ['8008', 'n8 [n..4]'],
  ['8009', 'x..50'],
  ['8010', 'y..30'],
  ['8011', 'n..12'],
  ['8012', 'x..20'],
  ['8013', 'x..25'],
  ['8014', 'x..25'],
  ['8017 8018', 'n18'],
  ['8019', 'n..10'],
  ['8020', 'x..25'],
  ['8030', 'z..90'],
  ['8040 8041', 'n15'],
  ['8042', 'n32'],
  ['8043', 'n18 [n..2]'],
  ['8110 8112', 'x..70'],
  ['8111', 'n4'],
  ['8200', 'x..70'],
  ['90', 'x..30'],
  ['91 92 93 94 95 96 97 98 99', 'x..90'],
]

/** How many digits an identifier has, by its first two. All others have four. */
const ofTwo = /^(?:0|1|2[0-2]|3[07]|9)/
const ofThree = /^(?:2[3-5]|4[0-2]|71)/

const characters: Record<string, string> = {
  n: String.raw`\d`,
  x: '[!"%-?A-Z_a-z]',
  y: String.raw`[#\-/0-9A-Z]`,
  z: String.raw`[\-=0-9A-Z_a-z]`,
}

/** `x..20` as the source of a regular expression. */
function sourceOf(part: string): string {
  const [, optional = '', kind = '', upTo = '', length = ''] = /^(\[?)([nxyz])((?:\.\.)?)(\d+)\]?$/.exec(part) ?? []
  const source = `${characters[kind]}{${upTo === '' ? length : `1,${length}`}}`
  return optional === '' ? source : `(?:${source})?`
}

const forms = new Map(
  table.flatMap(([identifiers, form]) => {
    const [first = '', ...rest] = form.split(' ')
    const hasDecimals = first === 'decimals'
    const value = new RegExp((hasDecimals ? rest : [first, ...rest]).map(sourceOf).join(''), 'y')
    const all = identifiers.split(' ')
    // The fourth digit of an amount is the number of its decimals.
    const whole = hasDecimals ? all.flatMap((three) => Array.from('0123456789', (digit) => three + digit)) : all
    return whole.map((identifier) => [identifier, value] as const)
  }),
)

interface Element {
  identifier: string
  value: string
  /** Where the text goes on. */
  end: number
}

/** Reads the element that begins at `at`: an identifier that GS1 has given out, and a value of its form. */
export function elementAt(text: string, at: number): Element | undefined {
  const head = text.slice(at, at + 2)
  const digits = ofTwo.test(head) ? 2 : ofThree.test(head) ? 3 : 4
  const identifier = text.slice(at, at + digits)
  const form = forms.get(identifier)
  if (!form) return undefined
  form.lastIndex = at + digits
  const value = form.exec(text)?.[0]
  return value === undefined ? undefined : { identifier, value, end: at + digits + value.length }
}
