import { z } from 'zod'

/** One line of the contract: what a call takes, and what it gives. */
export const call = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) => ({
  input,
  output,
})

export const nothing = z.void()
export const done = z.null()
export const longestText = 2_000
/** A message over the browser host's line is at most 256 kB. */
export const mostAtOnce = 500

/** A file to keep: UTF-8 text. No cell of a CSV is ever a formula. */
export const ExportFile = z.object({ fileName: z.string(), text: z.string() })
export type ExportFile = z.infer<typeof ExportFile>
