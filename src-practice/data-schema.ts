import { z } from 'zod'
import { DataShape } from './data-file'

/**
 * The JSON Schema of the data file, for editors and for those who write one with other tools. It tells the form of each
 * field; that everything referred to is in the file, only the service checks.
 */
export const dataSchema = () => ({
  title: 'Data file of the practice service',
  ...z.toJSONSchema(DataShape, { io: 'input', target: 'draft-2020-12' }),
})
