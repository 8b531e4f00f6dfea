import type { Walk } from './walk'

/** No PostgreSQL is there: nothing is started. */
const folder = '/nowhere'
const form = { address: '127.0.0.1', port: 5433, folder, stationName: 'Station 1', policy: 'warn' as const }

/** Keeping the store on this computer. */
export const hostingInputs: Walk<'hosting'> = {
  'hosting.view': { good: [undefined], bad: [{}] },
  'hosting.options': {
    good: [{ folder }, { folder: null }],
    bad: [{}, { folder: ' ' }, { folder: 'x'.repeat(1_001) }],
  },
  'hosting.start': {
    good: [form],
    bad: [
      { ...form, address: 'hub.example' },
      { ...form, port: 80 },
      { ...form, stationName: ' ' },
      { ...form, policy: 'x' },
    ],
  },
  'hosting.retry': { good: [undefined], bad: [{}] },
  'hosting.others': { good: [undefined], bad: [{}] },
  'hosting.renew': { good: [{ address: '127.0.0.1', port: 5433 }], bad: [{}, { address: '::1', port: 5433 }] },
  'hosting.stop': { good: [undefined], bad: [{}] },
}
