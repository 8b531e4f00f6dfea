import { z } from 'zod'
import { call, done, longestText, nothing } from './call'
import { CustomerId } from './checkout'
import { ExportFile } from './call'

export const Locale = z.enum(['en', 'es'])
export type Locale = z.infer<typeof Locale>

/**
 * The connection as the requests of the last minutes showed it; `slow`: a request has waited for seconds, or the last
 * answer took that long; `out-of-files`: this computer can't open one. `since` is ISO 8601.
 */
export const ConnectionView = z.object({
  state: z.enum([
    'unknown',
    'online',
    'slow',
    'unreachable',
    'out-of-files',
    'credentials-refused',
    'credentials-missing',
    'failing',
  ]),
  since: z.iso.datetime(),
})
export type ConnectionView = z.infer<typeof ConnectionView>
/** The service answers, at once or late. */
export const isAnswering = (state: ConnectionView['state']): boolean => state === 'online' || state === 'slow'

/** Warnings shown without being asked for. None of them stops a sale. */
export const Warning = z.enum([
  /** More operations wait than the limit set in Settings. */
  'unsent-many',
  /** An operation has waited longer than the limit set in Settings. */
  'unsent-old',
  /** The station's clock differs from the service's by more than two minutes. */
  'clock-off',
  /** The computer's clock shows a time that can't be, and the service has not answered yet. */
  'clock-impossible',
  /** The database was damaged, and its readable part was salvaged. Shown until a person acknowledges it. */
  'data-salvaged',
  /** The last backup could not be made. */
  'backup-failing',
  /** An operation has been on the wire for more than 30 s. */
  'report-slow',
  /** An operation has blocked its lane for more than two minutes. */
  'sending-stuck',
  /** The token endpoint has given no token for 30 s, although it answers and doesn't refuse the credentials. */
  'no-token',
  /** The service's `Date` can't be read, or differs from this computer's clock by more than a day: it is not used. */
  'service-clock-wrong',
  /** The connection lacks the id of our dispensary: a sister store's inventory can't be told from ours. */
  'dispensary-not-set',
])
export type Warning = z.infer<typeof Warning>

/**
 * What a connection's data lacks, compared with a note beside its folder. `gone`: it was empty; `older`: it ended before the
 * note, like a copy that was put back.
 */
export const DataLoss = z.object({
  kind: z.enum(['gone', 'older']),
  folder: z.string(),
  /** When it was noted how far the reports had come; null if that can't be read. */
  notedAt: z.iso.datetime().nullable(),
  /** Reports that are missing at least, in the newest backup too; null if unknown. */
  missing: z.number().int().nonnegative().nullable(),
  /** Reports, missing or not, that were not sent or needed a person then; null if unknown. */
  unsent: z.number().int().nonnegative().nullable(),
})
export type DataLoss = z.infer<typeof DataLoss>

/** What became of damaged, older or missing data. */
export const SalvageReport = z.object({
  at: z.iso.datetime(),
  /** False if the data was undamaged: it was older than it should be, or gone. */
  isDamaged: z.boolean().default(true),
  /** Name of the damaged or older file, which is kept in the station's data folder; empty if there was none. */
  setAside: z.string(),
  /** Operations that were salvaged, and how many of them came only from the last backup. */
  operations: z.number().int().nonnegative(),
  fromBackup: z.number().int().nonnegative(),
  /** Operations that existed and could not be read; null if their number is unknown. */
  lost: z.number().int().nonnegative().nullable(),
  /** What is missing compared with a note outside the data. */
  loss: DataLoss.optional(),
})
export type SalvageReport = z.infer<typeof SalvageReport>

/** The content of the status bar, which is shown on every screen. */
export const AppStatus = z.object({
  profile: z.object({ kind: z.enum(['practice', 'test', 'production']), name: z.string() }),
  connection: ConnectionView,
  /** Operations that the service does not have yet, without those that need attention. */
  unsent: z.number().int().nonnegative(),
  /** When the oldest of them was created; null if there are none. */
  oldestUnsentAt: z.iso.datetime().nullable(),
  /** Refused operations that still need attention. */
  attention: z.number().int().nonnegative(),
  /** The service's clock minus the station's, in ms, according to the last answers; 0 if they agree within 2 s. */
  clockOffset: z.number().int(),
  warnings: z.array(Warning),
  store: z.object({
    /** When the last checked backup was made; null if there is none yet. */
    lastBackupAt: z.iso.datetime().nullable(),
    salvage: SalvageReport.nullable(),
  }),
  locale: Locale,
  version: z.string(),
})
export type AppStatus = z.infer<typeof AppStatus>

/**
 * The fault that the practice service simulates: `offline` no network, `slow` 3 s for each answer, `failing` status
 * 500.
 */
export const PracticeFault = z.enum(['none', 'offline', 'slow', 'failing'])
export type PracticeFault = z.infer<typeof PracticeFault>

/** A code of the practice store, which a click scans. */
export const PracticeCode = z.object({
  kind: z.enum(['package', 'case', 'tag']),
  /** The text that a scanner would read. */
  text: z.string(),
  label: z.string(),
  /** The text printed under the code: a package UID, the identifier of a case, or a TagID in short form. */
  identifier: z.string(),
  /** Null for a package, whose items may be of several brands. */
  brand: z.string().nullable(),
  /** Items inside, and the required number if known. Null for an item. */
  items: z.object({ count: z.number().int(), required: z.number().int().nullable() }).nullable(),
  /** The dispensary that imported the case; null if it isn't imported. */
  importer: z.string().nullable(),
  /** The text of the case that an item is in. */
  caseText: z.string().nullable(),
  /** What is special about the code, e.g. "imported-by-other-dispensary"; null for an ordinary one. */
  about: z
    .enum([
      'two-products',
      'imported-by-company',
      'imported-by-stranger',
      'short',
      'imported-here',
      'case-not-imported',
      'certificate-expired',
      'certificate-failed',
      'past-use-by',
      'unpublished',
    ])
    .nullable(),
})
export type PracticeCode = z.infer<typeof PracticeCode>

/** Whether the station still has to choose between practice and a store's own connection. */
export const Welcome = z.object({ isNew: z.boolean() })
export type Welcome = z.infer<typeof Welcome>

/** The steps of the guide in the practice store, in order: a delivery, a sale that is voided, a sale without a network. */
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
  /** When the guide was started, ISO 8601; null if it wasn't. */
  startedAt: z.iso.datetime().nullable(),
  done: z.array(GuideStep).max(GuideStep.options.length),
  /** False while the guide is hidden. */
  isOpen: z.boolean(),
})
export type GuideProgress = z.infer<typeof GuideProgress>

export const notBegun: GuideProgress = { startedAt: null, done: [], isOpen: false }

/** What About shows; a person may read it out to support. */
export const About = z.object({
  version: z.string(),
  /** Name and version of the runtime. */
  runtime: z.array(z.object({ name: z.string(), version: z.string() })),
  dataDir: z.string(),
  logFile: z.string(),
  /** Size of the database and its log, in bytes. */
  databaseSize: z.number().int().nonnegative(),
})
export type About = z.infer<typeof About>

/** A newer version of Countertag that is downloaded and waits for a restart. */
export const UpdateView = z.object({
  /** Null if there is none. */
  version: z.string().nullable(),
  /** A person agreed: the app restarts as soon as no operation is being sent. */
  isAgreed: z.boolean(),
})
export type UpdateView = z.infer<typeof UpdateView>

/** For every screen: the status of the app, and pictures. */
export const appCalls = {
  'app.status': call(nothing, AppStatus),
  'app.setLocale': call(z.object({ locale: Locale }), done),
  /** A picture from the service's own hosts as a `data:` URL; null if it can't be fetched. */
  'media.picture': call(z.object({ url: z.string().max(longestText) }), z.object({ dataUrl: z.string().nullable() })),
} as const

export const appEvents = {
  'app.status': AppStatus,
  /** The core was reopened. With another profile (`isOther`), everything a page has loaded belongs to the earlier one. */
  'app.reopened': z.object({ isOther: z.boolean() }),
} as const

/** Support, and requests of customers about their data. */
export const supportCalls = {
  'support.about': call(nothing, About),
  /** Versions, settings without secrets, counts and the last lines of the log, as one file. */
  'support.diagnostics': call(nothing, ExportFile),
  /** The licenses of the third-party software in Countertag, as one file. */
  'support.licences': call(nothing, ExportFile),
  /** Everything this station holds of a customer, as one file. */
  'customer.export': call(z.object({ customerId: CustomerId }), ExportFile),
  /** Erases a customer's id from settled reports; an unsent report keeps it until the service has accepted it. */
  'customer.erase': call(
    z.object({ customerId: CustomerId }),
    z.object({ erased: z.number().int(), kept: z.number().int() }),
  ),
} as const

/** The update that waits for a restart, on hosts that download updates. */
export const updateCalls = {
  'update.view': call(nothing, UpdateView),
  /** Agrees to restart with this version; does nothing if another version waits by now. */
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
  /** The guided first delivery and sale; the progress is kept with the practice data. */
  'practice.guide': call(nothing, GuideProgress),
  'practice.setGuide': call(GuideProgress, done),
} as const
