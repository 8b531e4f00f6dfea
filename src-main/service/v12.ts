import type { AddCase, AddItems } from '../../src-shared/service/collections'
import { type Endpoint, endpointsV12 as endpoints } from '../../src-shared/service/endpoints'
import type { ImportRemovalRequest, ImportRequest } from '../../src-shared/service/imports'
import type { CompleteRequest, ReturnRequest, VoidRequest } from '../../src-shared/service/transactions'
import type { ReadOptions, Requests } from './requests'

/** The reports sent through the outbox, by the last part of their paths. */
export type ReportPath =
  | 'caseids/import/'
  | 'caseids/import/remove/'
  | 'transactions/complete/'
  | 'transactions/void/'
  | 'transactions/return/'

const reports: Record<ReportPath, Endpoint> = {
  'caseids/import/': endpoints.imports.create,
  'caseids/import/remove/': endpoints.imports.remove,
  'transactions/complete/': endpoints.transactions.complete,
  'transactions/void/': endpoints.transactions.void,
  'transactions/return/': endpoints.transactions.return,
}

export type V12Client = ReturnType<typeof createV12>

/**
 * `/api/v1.2`, one method per endpoint, by resource. Reads return typed results. Changes return the raw reply, which the
 * outbox evaluates. Spec: Endpoints > v1.2 endpoints.
 */
export function createV12({ read, report }: Requests) {
  return {
    collections: {
      /** Accepts a uuid as well. */
      get: (identifier: string) => read(endpoints.collections.get, [identifier]),
      addCase: (regulatorIdentifier: string, body: AddCase) =>
        report(endpoints.collections.addCase, [regulatorIdentifier], body),
    },
    cases: {
      get: (caseId: string) => read(endpoints.cases.get, [caseId]),
      addItems: (caseId: string, tagIds: AddItems) => report(endpoints.cases.addItems, [caseId], tagIds),
    },
    products: { get: (productId: string) => read(endpoints.products.get, [productId]) },
    items: { get: (tagId: string, options?: ReadOptions) => read(endpoints.items.get, [tagId], options) },
    imports: {
      create: (body: ImportRequest) => report(endpoints.imports.create, [], body),
      remove: (body: ImportRemovalRequest) => report(endpoints.imports.remove, [], body),
    },
    packageUids: {
      /** The cases of a package, each with its import status. */
      cases: (packageUid: string) => read(endpoints.packageUids.cases, [packageUid]),
    },
    transactions: {
      complete: (body: CompleteRequest) => report(endpoints.transactions.complete, [], body),
      void: (body: VoidRequest) => report(endpoints.transactions.void, [], body),
      return: (body: ReturnRequest) => report(endpoints.transactions.return, [], body),
    },
    /** Sends a report built by the outbox, by its path. */
    report: (path: ReportPath, body: object) => report(reports[path], [], body),
  }
}
