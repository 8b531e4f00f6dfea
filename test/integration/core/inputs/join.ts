import type { JoinForm } from '../../../../src-shared/ipc/contract/join'
import type { Walk } from './walk'

/** Nothing listens there. */
const form: JoinForm = {
  ...{ host: '127.0.0.1', port: 1, database: 'countertag', user: 'countertag', certificate: null, password: 'no' },
  ...{ stationName: 'Station 1', policy: 'warn', fromCode: null, makesKey: false, replacesStore: false },
}

/** Joining a store. */
export const joinInputs: Walk<'join'> = {
  'join.view': { good: [undefined], bad: [{}] },
  'join.try': {
    good: [form],
    bad: [
      { ...form, port: 1.5 },
      { ...form, host: 'x'.repeat(301) },
      { ...form, stationName: ' ' },
      { ...form, stationName: 'Till\u202E' },
      undefined,
    ],
  },
  'join.join': {
    good: [form],
    bad: [
      { ...form, policy: 'never' },
      { ...form, password: '' },
    ],
  },
  'join.newIdentity': { good: [{ stationName: 'Till 3' }], bad: [{}, { stationName: ' ' }] },
  'join.leave': { good: [undefined], bad: [{}] },
  'join.code': { good: [undefined], bad: [{}] },
  'join.giveCode': { good: [undefined], bad: [{}] },
  'join.scanned': { good: [{ text: null }, { text: 'CTJOIN1' }], bad: [{}, { text: 'x'.repeat(8_401) }] },
}
