import { z } from 'zod'

/** A HID POS scanner that is plugged in. */
export interface Candidate {
  /** What opens it. Reused by the next device once this one is gone. */
  path: string
  vendorId: number
  productId: number
  /** Often missing, and often the same for every scanner of a model. */
  serial: string | null
  name: string
}

/** USB HID Point of Sale Usage Tables: page "bar code scanner", usage "bar code scanner". */
const scanner = { usagePage: 0x8c, usage: 0x02 }
/** Usage page "generic desktop": keyboard and keypad. */
const keyboards = { usagePage: 0x01, usages: [0x06, 0x07] }

const longestName = 80

const Text = z.string().nullish()
const Entry = z.object({
  path: z.string().min(1),
  vendorId: z.number().int().nonnegative(),
  productId: z.number().int().nonnegative(),
  serialNumber: Text,
  manufacturer: Text,
  product: Text,
  usagePage: z.number().int(),
  usage: z.number().int(),
})
type Entry = z.infer<typeof Entry>

/**
 * The scanners among what the system lists, by path. A path that is a keyboard too is left alone: reading it fails on
 * Windows and asks for a permission on macOS.
 */
export function candidatesAmong(listed: readonly unknown[]): Candidate[] {
  const entries = listed
    .map((entry) => Entry.safeParse(entry))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
  const typing = new Set(entries.filter(isKeyboard).map((entry) => entry.path))
  const found = new Map<string, Candidate>()
  for (const entry of entries) {
    if (isScanner(entry) && !typing.has(entry.path)) found.set(entry.path, candidate(entry))
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether two candidates can be the same thing, wherever it is plugged in. */
export const isSameModel = (a: Candidate, b: Candidate) =>
  a.vendorId === b.vendorId && a.productId === b.productId && a.serial === b.serial

const isScanner = (entry: Entry) => entry.usagePage === scanner.usagePage && entry.usage === scanner.usage

const isKeyboard = (entry: Entry) => entry.usagePage === keyboards.usagePage && keyboards.usages.includes(entry.usage)

function candidate({ path, vendorId, productId, serialNumber, manufacturer, product }: Entry): Candidate {
  const maker = cleaned(manufacturer)
  const model = cleaned(product)
  const repeats = model.toLowerCase().startsWith(maker.toLowerCase())
  const name = (repeats ? model : `${maker} ${model}`).trim().slice(0, longestName)
  return {
    path,
    vendorId,
    productId,
    serial: cleaned(serialNumber) || null,
    name: name === '' ? `Scanner ${hex(vendorId)}:${hex(productId)}` : name,
  }
}

/** Devices give texts with control characters and padding. */
const cleaned = (text: string | null | undefined) => (text ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()

const hex = (id: number) => id.toString(16).padStart(4, '0')
