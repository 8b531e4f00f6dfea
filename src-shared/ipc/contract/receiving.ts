import { z } from 'zod'
import { PackageUid } from '../../ids'
import { OperationView } from '../operation-view'
import { ManyDone } from '../delivery-view'
import { CataloguePart, CatalogueView, PosPair, Prefill } from '../pos-view'
import { ExportFile, HistoryFilter, HistoryPage } from '../receiving-history-view'
import { BlindImportForm, CaseView, ImportForm, PackageView, UndoRequest } from '../receiving-view'
import { call, nothing, done, mostAtOnce } from './call'

/** Cases and packages one by one, what the POS calls them, and what was received. */
export const receivingCalls = {
  'receiving.package': call(z.object({ packageUid: PackageUid }), PackageView),
  'receiving.case': call(z.object({ identifier: z.string().trim().min(1).max(500) }), CaseView),
  /** Saves the import, then waits up to 2 s for the service: the view says how far it got. */
  'receiving.import': call(ImportForm, OperationView),
  /** Saves an import of a case that nobody could be asked about: which it is, and of what, is found out before sending. */
  'receiving.importBlind': call(BlindImportForm, OperationView),
  /** Saves them all and waits for none: what becomes of each arrives as the event `outbox.changed`. */
  'receiving.importMany': call(z.object({ imports: z.array(ImportForm).min(1).max(mostAtOnce) }), ManyDone),
  /**
   * Withdraws what was never attempted, otherwise queues its inverse: of an import its removal, of an item taken out its
   * restoring, of items put in their taking out. Gives back the operation or its inverse.
   */
  'receiving.undo': call(UndoRequest, OperationView),
  'receiving.prefills': call(z.object({ pairs: z.array(PosPair).max(mostAtOnce) }), z.array(Prefill)),
  'receiving.catalogue': call(nothing, CatalogueView.nullable()),
  /** Gives the catalogue in force once the last part is there, null before. */
  'receiving.loadCatalogue': call(CataloguePart, CatalogueView.nullable()),
  'receiving.forgetCatalogue': call(nothing, done),
  /** At most 100, those before `before` (a `seq`). */
  'receiving.history': call(
    z.object({ filter: HistoryFilter, before: z.number().int().positive().nullable() }),
    HistoryPage,
  ),
  'receiving.exportHistory': call(z.object({ filter: HistoryFilter }), ExportFile),
} as const
