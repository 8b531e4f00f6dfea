import { z } from 'zod'
import { Approval } from '../../gates'

/** One entry of the contract: the input of a call and its output. */
export const call = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) => ({
  input,
  output,
})

export const nothing = z.void()
export const done = z.null()
/**
 * For a call that passes a gate: without what the gate asks for, main answers gate/not-asked, -reason-missing, -pin-missing or
 * security/wrong-pin and changes nothing.
 */
export const gated = { approval: Approval.optional() }
export const longestText = 2_000
/** A message to the browser host is at most 256 kB. */
export const mostAtOnce = 500

/** A file to save: UTF-8 text. No cell of a CSV file is ever a formula. */
export const ExportFile = z.object({ fileName: z.string(), text: z.string() })
export type ExportFile = z.infer<typeof ExportFile>
