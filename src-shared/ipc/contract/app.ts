import { z } from 'zod'
import { call, done, longestText, nothing } from './call'
import { CustomerId } from './checkout'
import { ExportFile } from './call'

export const Locale = z.enum(['en', 'es'])
export type Locale = z.infer<typeof Locale>

/** What the requests of the last minutes showed. `since` is ISO 8601. */
export const ConnectionView = z.object({
  state: z.enum(['unknown', 'online', 'unreachable', 'credentials-refused', 'credentials-missing', 'failing']),
  since: z.iso.datetime(),
})
export type ConnectionView = z.infer<typeof ConnectionView>

/** What a person should know without asking: none of it stops a sale. */
export const Warning = z.enum([
  /** More operations wait than the limit set in Settings. */
  'unsent-many',
  /** One has waited longer than the limit set in Settings. */
  'unsent-old',
  /** The station's clock is more than two minutes away from the service's. */
  'clock-off',
  /** The database was damaged, and what could be read of it was saved. Until a person has taken note. */
  'data-salvaged',
  /** The last backup could not be made. */
  'backup-failing',
  /** An operation has been on the wire for more than 30 s. */
  'report-slow',
  /** An operation has kept its lane for more than two minutes. */
  'sending-stuck',
  /** The token endpoint has given no token for 30 s, though it can be reached and doesn't refuse the credentials. */
  'no-token',
  /** The service's `Date` can't be read, or is more than a day away from this computer's clock: it is not used. */
  'service-clock-wrong',
])
export type Warning = z.infer<typeof Warning>

/** What became of a damaged database. */
export const SalvageReport = z.object({
  at: z.iso.datetime(),
  /** Name of the file that was set aside, in the station's data folder. */
  setAside: z.string(),
  /** Operations that were saved, and how many of them only the last backup had. */
  operations: z.number().int().nonnegative(),
  fromBackup: z.number().int().nonnegative(),
  /** Operations that are known to have been there and could not be read; null when that can't be told. */
  lost: z.number().int().nonnegative().nullable(),
})
export type SalvageReport = z.infer<typeof SalvageReport>

/** Everything the bar at the top of each screen says. */
export const AppStatus = z.object({
  profile: z.object({ kind: z.enum(['practice', 'test', 'production']), name: z.string() }),
  connection: ConnectionView,
  /** Operations that the service does not have yet, those that need attention not counted. */
  unsent: z.number().int().nonnegative(),
  /** When the oldest of them was made; null when there is none. */
  oldestUnsentAt: z.iso.datetime().nullable(),
  /** Operations that the service refused and nobody has dealt with. */
  attention: z.number().int().nonnegative(),
  /** The service's clock minus the station's, in ms, as the last answers showed it; 0 when they agree within 2 s. */
  clockOffset: z.number().int(),
  warnings: z.array(Warning),
  store: z.object({
    /** Of the last backup that was made and checked; null when there is none yet. */
    lastBackupAt: z.iso.datetime().nullable(),
    salvage: SalvageReport.nullable(),
  }),
  locale: Locale,
  version: z.string(),
})
export type AppStatus = z.infer<typeof AppStatus>

/** What the practice service pretends: `offline` no network, `slow` 3 s for each answer, `failing` status 500. */
export const PracticeFault = z.enum(['none', 'offline', 'slow', 'failing'])
export type PracticeFault = z.infer<typeof PracticeFault>

/** A code of the practice store, to be scanned with a click. */
export const PracticeCode = z.object({
  kind: z.enum(['package', 'case', 'tag']),
  /** What the scanner would read. */
  text: z.string(),
  label: z.string(),
  /** What people read under the code: a package UID, the identifier of a case, a TagID in short form. */
  identifier: z.string(),
  /** Null for a package: its items may be of several brands. */
  brand: z.string().nullable(),
  /** Items inside, and how many there should be where that is known. Null for an item. */
  items: z.object({ count: z.number().int(), required: z.number().int().nullable() }).nullable(),
  /** The dispensary that imported the case; null when none did. */
  importer: z.string().nullable(),
  /** The text of the case that an item is in. */
  caseText: z.string().nullable(),
  /** Why it is there, e.g. "imported-by-other-dispensary"; null for an ordinary one. */
  about: z
    .enum([
      'two-products',
      'imported-by-company',
      'imported-by-stranger',
      'short',
      'imported-here',
      'case-not-imported',
    ])
    .nullable(),
})
export type PracticeCode = z.infer<typeof PracticeCode>

/** Whether this station was never told what it is to be: practice, or a store's own connection. */
export const Welcome = z.object({ isNew: z.boolean() })
export type Welcome = z.infer<typeof Welcome>

/** What a newcomer does in the practice store, in this order: a delivery, a sale that is voided, a sale without a network. */
export const GuideStep = z.enum([
  'package',
  'cases',
  'pos-ids',
  'import',
  'checkout',
  'items',
  'complete',
  'void',
  'offline',
  'saved',
  'sent',
])
export type GuideStep = z.infer<typeof GuideStep>

/** How far the guide got with this practice store. */
export const GuideProgress = z.object({
  /** When it was begun, ISO 8601; null when nobody did. */
  startedAt: z.iso.datetime().nullable(),
  done: z.array(GuideStep).max(GuideStep.options.length),
  /** False while it is put away. */
  isOpen: z.boolean(),
})
export type GuideProgress = z.infer<typeof GuideProgress>

export const notBegun: GuideProgress = { startedAt: null, done: [], isOpen: false }

/** What About shows, and what a person reads to somebody on the telephone. */
export const About = z.object({
  version: z.string(),
  /** Of what it runs on: name and version. */
  runtime: z.array(z.object({ name: z.string(), version: z.string() })),
  dataDir: z.string(),
  logFile: z.string(),
  /** Bytes of the database with its log. */
  databaseSize: z.number().int().nonnegative(),
})
export type About = z.infer<typeof About>

/** A newer Countertag that is here already, and waits for a person to restart. */
export const UpdateView = z.object({
  /** Null: there is none. */
  version: z.string().nullable(),
  /** Somebody said so: it restarts as soon as nothing is on its way to the service. */
  isAgreed: z.boolean(),
})
export type UpdateView = z.infer<typeof UpdateView>

/** What every screen knows: how the app stands, and pictures. */
export const appCalls = {
  'app.status': call(nothing, AppStatus),
  'app.setLocale': call(z.object({ locale: Locale }), done),
  /** A picture of the service's own hosts as a `data:` URL; null when there is none to be had. */
  'media.picture': call(z.object({ url: z.string().max(longestText) }), z.object({ dataUrl: z.string().nullable() })),
} as const

export const appEvents = {
  'app.status': AppStatus,
  /** The core opened anew. With another profile (`isOther`) whatever a page knows is of the one before. */
  'app.reopened': z.object({ isOther: z.boolean() }),
} as const

/** Help from afar, and customers who ask what is kept of them. */
export const supportCalls = {
  'support.about': call(nothing, About),
  /** Versions, settings without secrets, counts and the last lines of the log, as one file. */
  'support.diagnostics': call(nothing, ExportFile),
  /** Licences of the work of others that is in Countertag, as one file. */
  'support.licences': call(nothing, ExportFile),
  /** Everything this station holds of a customer, as one file. */
  'customer.export': call(z.object({ customerId: CustomerId }), ExportFile),
  /** Erases a customer's id from what is reported already; of what is unsent it stays until the service has it. */
  'customer.erase': call(
    z.object({ customerId: CustomerId }),
    z.object({ erased: z.number().int(), kept: z.number().int() }),
  ),
} as const

/** The update that waits for a restart, where the host fetches any. */
export const updateCalls = {
  'update.view': call(nothing, UpdateView),
  /** Agrees to the version that was on the screen; to another one it does nothing. */
  'update.restart': call(z.object({ version: z.string().max(100) }), UpdateView),
} as const

export const updateEvents = {
  'update.changed': UpdateView,
} as const

/** The practice store: its codes, its faults and its guide. */
export const practiceCalls = {
  'practice.codes': call(nothing, z.array(PracticeCode)),
  'practice.fault': call(nothing, z.object({ fault: PracticeFault })),
  'practice.setFault': call(z.object({ fault: PracticeFault }), done),
  /** The guided first delivery and sale: kept with the practice data. */
  'practice.guide': call(nothing, GuideProgress),
  'practice.setGuide': call(GuideProgress, done),
} as const
