import { z } from 'zod'
import { CustomerId } from '../checkout-view'
import { ExportFile } from '../receiving-history-view'
import { About } from '../support-view'
import { call, nothing } from './call'

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
