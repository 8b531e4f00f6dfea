import { expect, it } from 'vitest'
import { Folds } from '../../../src-renderer/find/folds.svelte'

it('keeps open what a person opened, and what had to be seen once that is settled, until they fold it', () => {
  const folds = new Folds()
  const [facts, reports] = ['Facts', 'Reports']
  expect([folds.isOpen(facts), folds.isOpen(reports)]).toEqual([false, false])
  folds.toggled(facts, true)
  folds.show(reports)
  expect([folds.isOpen(facts), folds.isOpen(reports)]).toEqual([true, true])
  folds.toggled(reports, false)
  expect([folds.isOpen(facts), folds.isOpen(reports)]).toEqual([true, false])
})
