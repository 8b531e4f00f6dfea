import type { Walk } from './walk'

const profile = {
  kind: 'production' as const,
  name: 'Green Door, Newark',
  baseUrl: 'https://example.invalid',
  retailAuthUrl: 'https://example.invalid/auth',
  sourcingAuthUrl: null,
  dispensaryId: null,
  sendsSku: true,
  caFile: null,
}

/** Connections, the lock, remote help and the practice store. */
export const stationInputs: Walk<
  'station' | 'profile' | 'security' | 'support' | 'till' | 'update' | 'customer' | 'practice'
> = {
  'practice.codes': { good: [undefined], bad: ['all'] },
  'practice.fault': { good: [undefined], bad: [0] },
  'practice.setFault': { good: [{ fault: 'slow' }, { fault: 'none' }], bad: [{ fault: 'fire' }] },
  'practice.guide': { good: [undefined], bad: [0] },
  'practice.setGuide': {
    good: [
      { startedAt: null, done: [], isOpen: false },
      { startedAt: '2026-11-12T14:02:11.000Z', done: ['package', 'sent'], isOpen: true },
    ],
    bad: [
      { startedAt: 'today', done: [], isOpen: true },
      { startedAt: null, done: ['sleep'], isOpen: true },
      { startedAt: null, done: Array.from({ length: 12 }, () => 'package'), isOpen: true },
      {},
    ],
  },
  'station.welcome': { good: [undefined], bad: [{}] },
  'station.welcomed': { good: [undefined], bad: [true] },
  'profile.presets': { good: [undefined], bad: [{}] },
  'station.theme': { good: [undefined], bad: [{}] },
  'station.setTheme': { good: [{ theme: 'dark' }, { theme: 'system' }], bad: [{}, { theme: 'blue' }, undefined] },
  'profile.settings': { good: [undefined], bad: [{}] },
  'profile.save': {
    good: [{ id: null, profile }],
    bad: [
      { id: null, profile: { ...profile, baseUrl: 'http://example.invalid' } },
      { id: null, profile: { ...profile, baseUrl: 'https://user:word@example.invalid' } },
      { id: null, profile: { ...profile, baseUrl: 'https://127.0.0.1' } },
      { id: null, profile: { ...profile, baseUrl: `https://example.invalid/${'x'.repeat(300)}` } },
      { id: null, profile: { ...profile, baseUrl: 'file:///etc' } },
      { id: null, profile: { ...profile, retailAuthUrl: null } },
      { id: null, profile: { ...profile, name: ' ' } },
      { id: '../practice', profile },
      { id: 'Upper', profile },
    ],
  },
  'profile.remove': { good: [{ id: 'unknown' }], bad: [{}, { id: '' }, { id: 'a/b' }] },
  'profile.setCredentials': {
    good: [{ id: 'unknown', product: 'retail', credentials: { clientId: 'a', clientSecret: 'b' } }],
    bad: [
      { id: 'unknown', product: 'wholesale', credentials: { clientId: 'a', clientSecret: 'b' } },
      { id: 'unknown', product: 'retail', credentials: { clientId: '', clientSecret: 'b' } },
      { id: 'unknown', product: 'retail', credentials: { clientId: 'a', clientSecret: 'x'.repeat(2_001) } },
    ],
  },
  'profile.forgetCredentials': { good: [{ id: 'unknown', product: 'retail' }], bad: [{ id: 'unknown' }] },
  'profile.test': { good: [{ id: 'unknown' }], bad: [{}] },
  'profile.use': { good: [{ id: 'practice' }], bad: [{}, { id: 1 }] },
  'security.view': { good: [undefined], bad: [{}] },
  'security.unlock': { good: [{ pin: '0000' }], bad: [{ pin: '123' }, { pin: 'abcd' }, { pin: '1'.repeat(13) }, {}] },
  'security.lock': { good: [undefined], bad: [1] },
  'security.setPin': { good: [{ pin: null }], bad: [{ pin: '' }, { pin: 1234 }, {}] },
  'security.setAutoLock': { good: [{ minutes: 15 }], bad: [{ minutes: 0 }, { minutes: 1.5 }, { minutes: 241 }] },
  'security.gates': { good: [undefined], bad: [1] },
  'security.setGate': {
    good: [{ gate: 'void', level: 'pin' }],
    bad: [{ gate: 'sale', level: 'pin' }, { gate: 'void', level: 'none' }, {}],
  },
  'support.about': { good: [undefined], bad: [{}] },
  'support.diagnostics': { good: [undefined], bad: [{}] },
  'support.licences': { good: [undefined], bad: [{}] },
  'till.view': { good: [undefined], bad: [{}] },
  'till.change': {
    good: [{}, { isKiosk: true }, { isKiosk: false, startsWithComputer: false }],
    bad: [undefined, { isKiosk: 'yes' }, { startsWithComputer: 1 }, { isKiosk: null }],
  },
  'till.pdf': { good: [undefined], bad: [{}] },
  'update.view': { good: [undefined], bad: [{}] },
  'update.restart': { good: [{ version: '9.9.9' }], bad: [{}, { version: 1 }, { version: '1'.repeat(101) }] },
  'customer.export': { good: [{ customerId: 'C-1' }], bad: [{ customerId: ' ' }, {}] },
  'customer.erase': { good: [{ customerId: 'C-1' }], bad: [{ customerId: 'x'.repeat(101) }, {}] },
}
