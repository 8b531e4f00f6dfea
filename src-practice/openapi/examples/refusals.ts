import type { z } from 'zod'
import {
  DetailRefusal,
  FieldsRefusal,
  ItemsMissingRefusal,
  MalformedTagsRefusal,
  MessageRefusal,
  NotImportedRefusal,
  UnknownTagsRefusal,
} from '../../../src-shared/service/refusals'
import { short } from './ids'

/** One example for each body with which the service refuses, with a name for it. Spec: Errors. */
export const refusalExamples = new Map<z.ZodType, { name: string; value: unknown }>([
  [DetailRefusal, { name: 'detail', value: { detail: 'Not found.' } }],
  [FieldsRefusal, { name: 'fields', value: { case_uuid: ['This field is required.'] } }],
  [MessageRefusal, { name: 'alreadyProcessed', value: { message: 'This transaction has already been processed.' } }],
  [
    NotImportedRefusal,
    {
      name: 'notImported',
      value: {
        message: 'This transaction contains non-imported TagIDs.',
        non_imported_tagids: [short('tag')],
        valid_transaction: false,
      },
    },
  ],
  [MalformedTagsRefusal, { name: 'malformedTagIds', value: { items: { 'Invalid TagIDs': ['no id'] } } }],
  [
    UnknownTagsRefusal,
    { name: 'unknownTagIds', value: { items: { invalid: [], unknown: [short('tag')], valid: [] } } },
  ],
  [
    ItemsMissingRefusal,
    { name: 'itemsMissing', value: ['items should be specified when transaction type is complete or return.'] },
  ],
])
