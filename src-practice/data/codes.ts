import type { z } from 'zod'
import type { Usage, Variety } from '../../src-shared/service/allowed-values'

/** The names that v1.2 payloads show for the codes of requests. Spec: Product > Allowed values. */

const usageNames: Record<z.infer<typeof Usage>, string> = { R: 'Recreational', M: 'Medical' }

const varietyNames: Partial<Record<z.infer<typeof Variety>, string>> = {
  IND: 'Indica',
  STV: 'Sativa',
  HYB: 'Hybrid',
  HSD: 'Sativa dominant',
  HID: 'Indica dominant',
}

/** Names whose capitals or hyphens differ from the general rule below. */
const unruly: Record<string, string> = {
  BHO: 'BHO',
  CBD_CIGARETTES: 'CBD cigarettes',
  CO2_OIL: 'CO2 oil',
  INFUSED_PREROLL: 'Infused pre-roll',
  NANO_INFUSED_PREROLL: 'Nano infused pre-roll',
  PHO: 'PHO',
  PRE_ROLLS: 'Pre-rolls',
  RSO_OIL: 'RSO oil',
}

export const usageName = (code: z.infer<typeof Usage> | null): string => (code === null ? '' : usageNames[code])

/** Blends (`CBG_CBD_THC`) are named by their parts. */
export const varietyName = (code: z.infer<typeof Variety>): string => varietyNames[code] ?? code.replaceAll('_', '/')

export const productTypeName = (code: string): string =>
  unruly[code] ?? code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
