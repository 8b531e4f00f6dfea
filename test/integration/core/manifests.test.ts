import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PackageUid } from '../../../src-shared/ids'
import { type ManifestRow, type ManifestView, mostManifestLines } from '../../../src-shared/ipc/contract/manifest'
import { deliverySteps } from './delivery-steps'
import { type Station, startStation } from './station'

describe('the manifest of a delivery, against the practice service', () => {
  let station: Station
  const { deliveryNow, packages, allRead } = deliverySteps(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  const row = (line: number, packageUid: string, values: Partial<ManifestRow> = {}): ManifestRow => ({
    line,
    packageUid: PackageUid.parse(packageUid),
    productName: null,
    sku: null,
    posProductId: null,
    count: null,
    lines: 1,
    ...values,
  })
  const load = (rows: ManifestRow[], fileName = 'order.csv') =>
    station.ask('receiving.loadManifest', { fileName, start: 0, rows, leftOut: 0, isLast: true })
  const shown = () => station.ask('receiving.manifest', undefined)
  const inForce = async () => {
    const { manifest } = await shown()
    if (!manifest) throw new Error('there is no manifest')
    return manifest
  }
  const sums = async () => (await inForce()).sums
  const states = async () =>
    (await shown()).packages.map(({ packageUid, state }) => [packageUid, 'by' in state ? state.by : state.kind])
  const scan = (packageUid: string) => station.ask('receiving.addPackage', { packageUid })
  /** What a package holds, by product. */
  const contentOf = async (packageUid: string) => {
    const { cases } = await deliveryNow()
    const products = cases
      .filter((one) => one.packageUid === packageUid)
      .flatMap((one) => one.case?.packagedProducts ?? [])
    return products.map(({ productName, productId, sku, tagCount }) => ({ productName, productId, sku, tagCount }))
  }
  /** The lines of a manifest that says exactly what some packages hold. */
  const trueLines = async (uids: string[]) => {
    for (const uid of uids) await scan(uid)
    await allRead(uids.length)
    const lines: ManifestRow[] = []
    for (const uid of uids) {
      const counts = new Map<string, number>()
      for (const { productName, tagCount } of await contentOf(uid))
        counts.set(productName, (counts.get(productName) ?? 0) + tagCount)
      for (const [productName, count] of counts) lines.push(row(lines.length + 2, uid, { productName, count }))
    }
    await station.ask('receiving.finishDelivery', { deliveryId: (await deliveryNow()).id })
    return lines
  }

  it('waits for the next delivery, ticks itself as packages are scanned, and stays with the delivery', async () => {
    const [first = '', second = '', third = ''] = await packages()
    const lines = await trueLines([first, second])
    const [changed] = lines
    if (!changed) throw new Error('no lines')
    lines[0] = { ...changed, count: (changed.count ?? 0) + 3 }
    await load(lines)
    expect(await inForce()).toMatchObject({ fileName: 'order.csv', deliveryId: null })
    expect(await sums()).toMatchObject({ packages: 2, here: 0, missing: 2, extra: 0 })

    const heard: ManifestView[] = []
    station.client.on('receiving.manifestChanged', (view) => heard.push(view))
    await scan(first)
    await expect.poll(sums).toMatchObject({ here: 1, missing: 1, short: 1, extra: 0 })
    expect((await inForce()).deliveryId).toBe((await deliveryNow()).id)
    expect(await states()).toEqual([
      [first, 3],
      [second, 'missing'],
    ])
    await expect.poll(() => heard.at(-1)?.manifest?.sums.short).toBe(1)
    // The delivery is another than the one it waited for: told whole, and then only what changed.
    expect(heard[0]?.isWhole).toBe(true)

    await scan(third)
    await expect.poll(sums).toMatchObject({ here: 1, missing: 1, extra: 1 })
    expect((await shown()).extras).toMatchObject([{ kind: 'package', packageUid: third }])
    await expect.poll(() => heard.at(-1)?.extras).toMatchObject([{ packageUid: third }])
    expect(heard.at(-1)).toMatchObject({ isWhole: false, packages: [] })
    await station.restart()
    expect(await sums()).toMatchObject({ packages: 2, here: 1, missing: 1, short: 1, extra: 1 })

    await station.ask('receiving.dropPackage', { packageUid: third })
    await expect.poll(sums).toMatchObject({ extra: 0 })
    const { id: deliveryId } = await deliveryNow()
    await station.ask('receiving.finishDelivery', { deliveryId })
    expect((await shown()).manifest).toBeNull()
    const { manifest } = await station.ask('receiving.report', { deliveryId })
    expect(manifest).toMatchObject({ fileName: 'order.csv', sums: { missing: 1, short: 1 } })

    await station.ask('receiving.reopenDelivery', { deliveryId })
    await scan(second)
    await expect.poll(sums).toMatchObject({ here: 2, missing: 0, short: 1, isComplete: false })
  })

  it('counts what was counted once the count is finished', async () => {
    const [first = ''] = await packages()
    const lines = await trueLines([first])
    await load(lines)
    await scan(first)
    await expect.poll(sums).toMatchObject({ here: 1, short: 0, isComplete: true })
    const tagId = '7YgFz5pKeTzG9pjtAoo4DS'
    const { id: countId } = await station.ask('receiving.startCount', { caseId: null })
    await station.ask('receiving.countTag', { countId, tagId })
    // Not scanned yet is not missing.
    expect(await sums()).toMatchObject({ isComplete: true })
    await station.ask('receiving.finishCount', { countId })
    await expect.poll(sums).toMatchObject({ short: 1, isComplete: false })
    const found = (await shown()).packages.flatMap((one) => one.lines)
    expect(found.every(({ isCounted }) => isCounted)).toBe(true)
    expect(found.reduce((sum, one) => sum + (one.found ?? 0), 0)).toBe(1)
  })

  it('keeps what a delivery came to, whatever becomes of its cases afterwards', async () => {
    const own = {
      packageUid: '1A40E0300000B2F000000004',
      caseId: 'XUE3ZUVASCi3bUKjbNTXd7',
      tagId: 'Cs8EamxhuTPLSy7PLJKpmp',
    }
    const lines = await trueLines([own.packageUid])
    await load(lines)
    await scan(own.packageUid)
    await expect.poll(sums).toMatchObject({ isComplete: true })
    const { id: deliveryId } = await deliveryNow()
    await station.ask('receiving.finishDelivery', { deliveryId })
    const result = async () => (await station.ask('receiving.report', { deliveryId })).manifest
    const before = await result()
    expect(before).toMatchObject({ sums: { isComplete: true } })

    await station.ask('collection.removeItem', { collectionId: own.caseId, tagId: own.tagId })
    await station.drained()
    await station.restart()
    await load(lines, 'again.csv')
    await scan(own.packageUid)
    await expect.poll(sums).toMatchObject({ short: 1, isComplete: false })
    expect(await result()).toEqual(before)
  })

  it('asks which product is meant, and remembers the answer for later manifests, until it is taken back', async () => {
    const [first = ''] = await packages()
    const [line] = await trueLines([first])
    if (!line) throw new Error('no line')
    await load([{ ...line, productName: 'As the supplier calls it' }])
    await scan(first)
    const only = async () => (await shown()).packages[0]?.lines[0]
    await expect.poll(async () => (await only())?.state.kind).toBe('other-product')
    const { id: manifestId } = await inForce()
    const productId = (await contentOf(first)).find((one) => one.productName === line.productName)?.productId ?? ''
    const match = { manifestId, line: line.line, productId }
    const stranger = '2NEpo7TZRRrLZSi2U2U2U2'
    const refused = { code: 'receiving/no-such-line', line: line.line }
    expect(await station.refused('receiving.matchManifest', { ...match, productId: stranger })).toEqual(refused)
    expect(await station.refused('receiving.matchManifest', { ...match, productId: null })).toEqual(refused)
    expect(await station.refused('receiving.matchManifest', { ...match, line: 99 })).toEqual({ ...refused, line: 99 })
    await station.ask('receiving.matchManifest', match)
    expect(await only()).toMatchObject({ state: { kind: 'here' }, matched: { productId, by: 'said' } })
    await load([{ ...line, line: 7, productName: 'AS THE SUPPLIER calls it ' }], 'next.csv')
    expect(await only()).toMatchObject({ state: { kind: 'here' }, matched: { productId, by: 'said' } })
    const { id: next } = await inForce()
    await station.ask('receiving.matchManifest', { manifestId: next, line: 7, productId: null })
    expect(await only()).toMatchObject({ state: { kind: 'other-product' } })
  })

  it('is replaced and removed, and each can be undone', async () => {
    const uid = '1A40E0300000B2F000000001'
    await load([row(2, uid)], 'first.csv')
    const { id: first } = await inForce()
    await load([row(2, uid), row(3, '1A40E0300000B2F000000002')], 'second.csv')
    expect((await shown()).undoable).toEqual({ manifestId: first, fileName: 'first.csv', how: 'replaced' })
    const { id: second } = await inForce()
    await station.ask('receiving.restoreManifest', { manifestId: first })
    expect(await inForce()).toMatchObject({ id: first, sums: { packages: 1 } })
    expect((await shown()).undoable).toMatchObject({ manifestId: second })
    await station.ask('receiving.removeManifest', { manifestId: first })
    expect(await shown()).toMatchObject({ manifest: null, undoable: { manifestId: first, how: 'removed' } })
    // Only the last one is kept.
    expect(await station.refused('receiving.restoreManifest', { manifestId: second })).toEqual({
      code: 'receiving/no-manifest',
    })
    await station.restart()
    await station.ask('receiving.restoreManifest', { manifestId: first })
    expect(await inForce()).toMatchObject({ id: first, fileName: 'first.csv' })
    expect(await station.refused('receiving.removeManifest', { manifestId: second })).toEqual({
      code: 'receiving/no-manifest',
    })
  })

  it('of a replaced file can be put in force again in the delivery that has begun since', async () => {
    const [first = ''] = await packages()
    await load([row(2, first)], 'first.csv')
    const { id } = await inForce()
    await load([row(2, first)], 'second.csv')
    await scan(first)
    await station.ask('receiving.restoreManifest', { manifestId: id })
    expect(await inForce()).toMatchObject({ fileName: 'first.csv', deliveryId: (await deliveryNow()).id })
  })

  it('adds up lines about the same package and product, in parts too', async () => {
    const uid = '1A40E0300000B2F000000001'
    const part = { fileName: 'order.csv', leftOut: 2 }
    await station.ask('receiving.loadManifest', {
      ...part,
      start: 0,
      rows: [row(2, uid, { count: 10 })],
      isLast: false,
    })
    expect((await shown()).manifest).toBeNull()
    await station.ask('receiving.loadManifest', { ...part, start: 1, rows: [row(3, uid, { count: 4 })], isLast: true })
    expect(await shown()).toMatchObject({
      manifest: { leftOut: 2 },
      packages: [{ packageUid: uid, lines: [{ line: 2, count: 14, lines: 2 }] }],
    })
  })

  it('refuses parts out of order, too many lines, and a file without any; the one in force stays', async () => {
    const uid = '1A40E0300000B2F000000001'
    await load([row(2, uid)])
    const part = { fileName: 'other.csv', start: 0, rows: [row(2, uid)], leftOut: 0, isLast: false }
    const refusal = { code: 'receiving/manifest-broken' }
    expect(await station.refused('receiving.loadManifest', { ...part, start: 5 })).toEqual(refusal)
    expect(await station.refused('receiving.loadManifest', { ...part, rows: [], isLast: true })).toEqual(refusal)
    expect(await station.refused('receiving.loadManifest', { ...part, rows: [row(3, uid), row(2, uid)] })).toEqual(
      refusal,
    )
    await station.ask('receiving.loadManifest', part)
    expect(await station.refused('receiving.loadManifest', { ...part, fileName: 'x.csv', start: 1 })).toEqual(refusal)
    for (let start = 0; start < mostManifestLines; start += 250) {
      const rows = Array.from({ length: 250 }, (_, at) => row(start + at + 1, uid))
      await station.ask('receiving.loadManifest', { ...part, start, rows })
    }
    expect(
      await station.refused('receiving.loadManifest', {
        ...part,
        start: mostManifestLines,
        rows: [row(mostManifestLines + 1, uid)],
        isLast: true,
      }),
    ).toEqual(refusal)
    expect(await inForce()).toMatchObject({ fileName: 'order.csv' })
  })

  it('ticks a package that is scanned without a network, and knows its content once there is one', async () => {
    const [first = ''] = await packages()
    await load(await trueLines([first]))
    await station.restart()
    const unseen = '1A40E0300000B2F000000002'
    await load([row(2, unseen, { count: 1 })])
    await station.knobs.setFaults({ offline: true })
    await scan(unseen)
    await expect.poll(states).toEqual([[unseen, 'unread']])
    expect(await sums()).toMatchObject({ here: 1, missing: 0, unread: 1, isComplete: false })
    // A shorter interruption doesn't count as an outage (`connection.ts`), so nothing is looked up again after it.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await station.knobs.setFaults({})
    await expect.poll(states, { timeout: 20_000 }).not.toEqual([[unseen, 'unread']])
  })
})
