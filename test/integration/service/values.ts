import type { AppError } from '../../../src-shared/errors'
import { type Reply, refusalOf } from '../../../src-main/service/reply'
import { CaseId, OrderId, PackageUid, ShortUuid, TagId } from '../../../src-shared/ids'
import type { Result } from '../../../src-shared/result'
import { cases, packageUids } from './world-data'
import { packaged } from './world-catalogue'

/** The value of a result that has to be one. */
export async function value<T>(result: Promise<Result<T, AppError>>): Promise<T> {
  const settled = await result
  if (settled.ok) return settled.value
  throw new Error(`The service refused: ${JSON.stringify(settled.error)}`)
}

/** What a change made, where the service shows it. */
export async function made<T>(result: Promise<Result<T | null, AppError>>): Promise<T> {
  const what = await value(result)
  if (what === null) throw new Error('The service said yes and no more')
  return what
}

/** The error of a result that has to be one. */
export async function error<T>(result: Promise<Result<T, AppError>>): Promise<AppError> {
  const settled = await result
  if (settled.ok) throw new Error(`The service took it: ${JSON.stringify(settled.value)}`)
  return settled.error
}

/** Status and JSON of a reply to a report. */
export async function answer(reply: Promise<Reply>): Promise<{ status: number; json: unknown }> {
  const settled = await reply
  if (settled.kind !== 'answer') throw new Error(`No answer: ${JSON.stringify(settled)}`)
  return { status: settled.status, json: settled.body.kind === 'json' ? settled.body.value : undefined }
}

/** Why a report was refused, as the outbox understands it. */
export async function refusal(reply: Promise<Reply>): Promise<AppError> {
  const settled = await reply
  if (settled.kind !== 'answer' || settled.status < 400) throw new Error(`Not refused: ${JSON.stringify(settled)}`)
  return refusalOf(settled.status, settled.body)
}

export async function all<T>(entries: AsyncIterable<Result<T, AppError>>): Promise<T[]> {
  const list: T[] = []
  for await (const entry of entries) {
    if (!entry.ok) throw new Error(`The list ended with ${JSON.stringify(entry.error)}`)
    list.push(entry.value)
  }
  return list
}

/** The n-th of a list that has it. */
export function at<T>(list: readonly T[] | null | undefined, index = 0): T {
  const one = list?.[index]
  if (one === undefined) throw new Error(`No entry ${index}`)
  return one
}

export const tagId = (text: string) => TagId.parse(text)
export const caseId = (text: string) => CaseId.parse(text)
export const shortId = (text: string) => ShortUuid.parse(text)

export const performed_at = '2026-11-02T10:15:00-05:00'

/** The body of a sale or return. */
export const sale = (order: string, tags: readonly string[]) => ({
  performed_at,
  order_id: OrderId.parse(order),
  items: tags.map(tagId),
})
export const voiding = (order: string) => ({ performed_at, order_id: OrderId.parse(order) })

/** The body of an import of the flower in a case. */
export const importing = (name: keyof typeof cases, package_uid = 'PKG-1', packagedProduct = packaged.flower) => ({
  case_uuid: caseId(cases[name]),
  packaged_product_uuid: shortId(packagedProduct),
  pos_product_id: 'POS-1',
  pos_inventory_id: 'INV-1',
  package_uid: PackageUid.parse(package_uid),
})
export const removing = (name: keyof typeof cases, package_uid: string = packageUids.own) => ({
  case_uuid: caseId(cases[name]),
  package_uid: PackageUid.parse(package_uid),
})

/** A product request that is right. */
export const flower = {
  name: 'New flower',
  product_type: 'FLOWER',
  package_size: { name: 'Net weight', value: '3.5', unit: 'gram' },
} as const

/** The smallest PNG: one pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
/** What an MP4 begins with: enough to be taken for one. */
export const mp4 = Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom', 'latin1').toString('base64')
export const pdf = Buffer.from('%PDF-1.7\n%%EOF\n').toString('base64')

export const absentId = 'VaVSFGDiox2pHf8GmQmTfG'
