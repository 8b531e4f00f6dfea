import { type Walk, id } from './walk'

/** A store of several stations; the station of this test works alone. */
export const hubInputs: Walk<'hub'> = {
  'hub.view': { good: [undefined], bad: [{}] },
  'hub.retry': { good: [undefined], bad: [1] },
  'hub.notices': { good: [undefined], bad: [{}] },
  'hub.soldTwice': { good: [undefined], bad: [{}] },
  'hub.presence': { good: [undefined], bad: [{}] },
  'hub.goOn': { good: [{ stations: ['Till 9'] }], bad: [undefined, {}, { stations: [] }] },
  'hub.removeStation': { good: [{ id: '3f1c0a3e-8a58-4b57-9b50-2f2a5b8f2a11' }], bad: [{}, { id: 'one' }] },
  'hub.seen': {
    good: [{ ids: [] }, { ids: [`${id} 7 another`, 'unknown'] }],
    bad: [{}, { ids: [1] }, { ids: ['x'.repeat(201)] }],
  },
}
