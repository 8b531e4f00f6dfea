import { AddCase, AddItems, CaseDetail, Collection } from './collections'
import { read, write } from './endpoint'
import { ImportAnswer, ImportRemovalAnswer, ImportRemovalRequest, ImportRequest } from './imports'
import { Item } from './items'
import { PackageCases } from './package-uids'
import { Product } from './products'
import { CompleteRequest, ReturnRequest, TransactionAnswer, VoidRequest } from './transactions'

/** Every endpoint of `/api/v1.2`, by resource; uses tokens of the retail product. Spec: v1.2 endpoints. */
export const endpointsV12 = {
  collections: {
    get: read('/api/v1.2/collections/<identifier>/', Collection),
    addCase: write('POST', '/api/v1.2/collections/regulator/<identifier>/add-case/', AddCase, Collection),
  },
  cases: {
    get: read('/api/v1.2/collections/case/<uuid>/', CaseDetail),
    addItems: write('POST', '/api/v1.2/collections/case/<uuid>/add-items/', AddItems, Collection),
  },
  products: { get: read('/api/v1.2/products/<uuid>/', Product) },
  items: { get: read('/api/v1.2/items/<uuid>/', Item) },
  imports: {
    create: write('POST', '/api/v1.2/caseids/import/', ImportRequest, ImportAnswer),
    remove: write('POST', '/api/v1.2/caseids/import/remove/', ImportRemovalRequest, ImportRemovalAnswer, false),
  },
  packageUids: { cases: read('/api/v1.2/package-uids/<package_uid>/caseids/', PackageCases) },
  transactions: {
    complete: write('POST', '/api/v1.2/transactions/complete/', CompleteRequest, TransactionAnswer, false),
    void: write('POST', '/api/v1.2/transactions/void/', VoidRequest, TransactionAnswer, false),
    return: write('POST', '/api/v1.2/transactions/return/', ReturnRequest, TransactionAnswer, false),
  },
} as const
