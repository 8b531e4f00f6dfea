import { describe, expect, it } from 'vitest'
import { createMissing, judge } from '../../../../src-main/memory/find/asking'
import { link } from '../../../../src-main/memory/find/links'
import { ranked } from '../../../../src-main/memory/search'
import type { AppError } from '../../../../src-shared/errors'
import { err, ok } from '../../../../src-shared/result'

const notFound: AppError = { code: 'service/not-found', id: 'x' }
const away: AppError = { code: 'service/unreachable' }
const noAccount: AppError = { code: 'service/credentials-missing' }
const forbidden: AppError = { code: 'service/forbidden' }
const failing: AppError = { code: 'service/failing', status: 500 }

describe('the error to report when every look-up failed', () => {
  it.each<[string, AppError[], AppError | undefined]>([
    ['all were not found', [notFound, notFound], notFound],
    ['one has no account', [notFound, noAccount], notFound],
    ['one was forbidden', [forbidden, notFound], notFound],
    ['one is unreachable', [notFound, away], away],
    ['one fails', [failing, notFound], failing],
    ['all lack an account', [noAccount, noAccount], noAccount],
    ['nothing was requested', [], undefined],
  ])('is right if %s', (_, errors, verdict) => {
    expect(judge(errors)).toEqual(verdict)
  })

  it('lists each missing part once, with its first reason', () => {
    const missing = createMissing()
    expect(missing.take('product', err(notFound))).toBeUndefined()
    expect(missing.take('product', err(away))).toBeUndefined()
    expect(missing.take('batch', ok(1))).toBe(1)
    expect(missing.all()).toEqual([{ part: 'product', reason: notFound }])
  })

  it("counts the catalog as missing if it couldn't be asked, but not if it lacks another company's entry", () => {
    const missing = createMissing()
    for (const error of [notFound, forbidden]) missing.take('catalogue', err(error))
    expect(missing.all()).toEqual([])
    missing.take('catalogue', err(noAccount))
    expect(missing.all()).toEqual([{ part: 'catalogue', reason: noAccount }])
  })
})

describe('the matches of a text', () => {
  const named = (id: string, ...words: (string | null)[]) => ({ link: link('product', id, words[0]), words })
  it('are ranked: whole name, beginning of the name, a word, part of a word, all words in any order', () => {
    const found = ranked('blue dune', [
      named('5', 'Dune, very blue'),
      named('4', 'Xblue dune'),
      named('3', 'Soft Blue Dune'),
      named('2', 'Blue Dune 3.5 g'),
      named('1', 'BLUE DÜNE'),
      named('0', 'Blue'),
      named('9', null),
    ])
    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5'])
  })

  it('list each entry once, with its name if any candidate has one', () => {
    const found = ranked('x-1', [{ link: link('product', 'a'), words: ['X-1'] }, named('a', 'X-1 Gummies')])
    expect(found).toEqual([link('product', 'a', 'X-1 Gummies')])
    expect(
      ranked(
        'x',
        Array.from({ length: 80 }, (_, n) => named(String(n), 'x')),
      ),
    ).toHaveLength(50)
    for (const text of ['', ' ', '\u0301']) expect(ranked(text, [named('a', 'a')])).toEqual([])
  })
})
