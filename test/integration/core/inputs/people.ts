import { PersonId } from '../../../../src-shared/people'
import { type Walk, operationId } from './walk'

const noOne = PersonId.parse(operationId)
const ana = { name: 'Ana Núñez', shortName: 'an', role: 'clerk' } as const

/** The people of the store, and the journal that names them. */
export const peopleInputs: Walk<'people' | 'journal'> = {
  'people.view': { good: [undefined], bad: [{}] },
  'people.save': {
    good: [
      { id: null, person: ana },
      { id: null, person: { ...ana, shortName: 'Ñ7' } },
    ],
    bad: [
      { person: ana },
      { id: 'one', person: ana },
      ...['A', 'ABCDE', 'A-', ''].map((shortName) => ({ id: null, person: { ...ana, shortName } })),
      { id: null, person: { ...ana, name: ' ' } },
      { id: null, person: { ...ana, name: 'x'.repeat(61) } },
      { id: null, person: { ...ana, role: 'owner' } },
    ],
  },
  'people.setPin': {
    good: [{ id: noOne, pin: '2468' }],
    bad: [{ id: noOne }, { id: noOne, pin: '12' }, { id: noOne, pin: 'abcd' }],
  },
  'people.setBadge': {
    good: [
      { id: noOne, code: 'CARD-1' },
      { id: noOne, code: null },
    ],
    bad: [{ id: noOne }, { id: noOne, code: '1' }, { id: noOne, code: 'x'.repeat(101) }],
  },
  'people.printBadge': { good: [{ id: noOne }], bad: [{}] },
  'people.remove': { good: [{ id: noOne }], bad: [{}, { id: 7 }] },
  'people.restore': { good: [{ id: noOne }], bad: [{}] },
  'people.signIn': {
    good: [{ shown: { shortName: 'ZZ', pin: '2468' } }, { shown: { proof: operationId } }],
    bad: [{}, { shown: {} }, { shown: { shortName: 'ZZ' } }, { shown: { proof: 'mine' } }],
  },
  'people.changePin': {
    good: [{ shown: { shortName: 'ZZ', pin: '2468' }, pin: '1357' }],
    bad: [{}, { shown: { shortName: 'ZZ', pin: '2468' } }, { shown: { proof: operationId }, pin: '1357' }],
  },
  'people.signOut': { good: [undefined], bad: [{}] },
  'people.setRules': {
    good: [{}, { demand: 'names', minutes: 10, staysAtCounter: true }],
    bad: [undefined, { minutes: 0 }, { minutes: 241 }, { demand: 'never' }],
  },
  'journal.page': {
    good: [
      { filter: {} },
      {
        filter: { person: noOne, kind: 'complete', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
        before: 7,
      },
      { filter: { kind: 'other', orderId: 'A-1', item: 'x' } },
    ],
    bad: [{}, { filter: { kind: 'teleport' } }, { filter: { from: 'yesterday' } }, { filter: {}, before: 0 }],
  },
  'journal.export': {
    good: [{ filter: {} }, { filter: { orderId: 'A-1' }, before: 7 }],
    bad: [{}, { filter: {}, before: 0 }],
  },
  'journal.verify': { good: [undefined], bad: [{}] },
}
