import process from 'node:process'
import { parseBarcode } from 'gs1-barcode-parser-mod'
import { classify, longestCode } from '../../src-shared/scan/classify'
import { KnownPrefixes } from '../../src-shared/scan/known'
import { median } from '../figures'
import { type TextClass, textClasses } from './texts'

/** Texts per second for one class of texts, ours and the peers' in turns within the same rounds. */
interface Classified {
  name: string
  /** The texts are as long as any that is read. */
  isLongest: boolean
  perSecond: number
  /** One pass of one regular expression over each text: the upper limit for reading the text. */
  bare: number
  /** gs1-barcode-parser-mod, for the texts that it supports; it throws on invalid input. */
  parser: number | undefined
}

const rounds = 9
const roundMs = 12
const warmUpMs = 60

/** A station that has learned its service's addresses and has prefixes of its own. */
const known = KnownPrefixes.parse({
  tagPrefixes: ['https://tag.example/', 'https://tag.test/t/'],
  casePrefixes: ['https://tag.example/case/'],
  scanPrefixes: { order: 'ORD-', badge: 'STAFF-' },
})
const plain = /^[^\ufffd]*$/

export function benchClassify(): Classified[] {
  const all = textClasses.map((one) => ({ ...one, contenders: contendersFor(one) }))
  for (const { texts, contenders } of all) for (const { read } of contenders) perSecond(texts, read, warmUpMs)
  const figures = all.map(({ contenders }) => contenders.map(() => new Array<number>()))
  for (let round = 0; round < rounds; round++) {
    for (const [at, { texts, contenders }] of all.entries()) {
      for (const [who, { read }] of contenders.entries()) figures[at]?.[who]?.push(perSecond(texts, read, roundMs))
    }
  }
  return all.map(({ name, texts }, at) => {
    const [own, bare, parser] = (figures[at] ?? []).map(median)
    const isLongest = texts.some(({ length }) => length === longestCode)
    return { name, isLongest, perSecond: own ?? Number.NaN, bare: bare ?? Number.NaN, parser }
  })
}

function contendersFor({ isGs1 }: TextClass): { read: (text: string) => unknown }[] {
  const own = { read: (text: string) => classify(text, 'checkout', { known }).kind }
  const bare = { read: (text: string) => plain.test(text) }
  return isGs1 === true ? [own, bare, { read: parsed }] : [own, bare]
}

function parsed(text: string): unknown {
  try {
    return parseBarcode(text)
  } catch {
    return undefined
  }
}

/** By processor time, not the clock: other work of the machine isn't classify's cost. */
function perSecond(texts: string[], read: (text: string) => unknown, forMs: number): number {
  const began = process.cpuUsage()
  let count = 0
  for (;;) {
    for (const text of texts) read(text)
    count += texts.length
    const { user, system } = process.cpuUsage(began)
    const took = (user + system) / 1_000
    if (took >= forMs) return (1_000 * count) / took
  }
}
