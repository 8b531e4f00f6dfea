import { expect, it } from 'vitest'
import { Delivery, listOf } from '../../../src-renderer/receiving/delivery.svelte'
import { CaseId } from '../../../src-shared/ids'
import { caseView, deliveryCase, deliveryChange, product } from './examples'
import { importOf, uid } from './deliveries'
import { countRedraws } from './redraws.svelte'

const digits = '3456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const idOf = (at: number) =>
  CaseId.parse(`C${'2'.repeat(19)}${digits.charAt(Math.floor(at / 30))}${digits.charAt(at % 30)}`)
const caseAt = (at: number, view = caseView(1)) => deliveryCase({ ...view, caseId: idOf(at) }, uid)

it('redraws one row of 500, and not the list, when main announces that one case changed', () => {
  const delivery = new Delivery()
  delivery.change(deliveryChange({ cases: Array.from({ length: 500 }, (_, at) => caseAt(at)) }))
  expect(delivery.rows).toHaveLength(500)
  const rows = countRedraws(delivery.rows, ({ view, importState, error, isReading }) => [
    view,
    importState,
    error,
    isReading,
  ])
  const list = countRedraws([delivery], listOf)

  const pending = { kind: 'pending' as const, operation: importOf(1) }
  delivery.change(deliveryChange({ cases: [caseAt(321, caseView(1, { packagedProducts: [product(1, pending)] }))] }))

  expect(rows.redrawn()).toEqual([321])
  expect(list.redrawn()).toEqual([])
  rows.stop()
  list.stop()
})
