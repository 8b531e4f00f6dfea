import { describe, expect } from 'vitest'
import { someList } from '../practice/practice'
import { row } from './row'
import { specifiedPortionedTypes, specifiedTypes } from './specified-types'
import { flower } from './values'
import type { World } from './world'

const post = (world: World, body: object) => world.raw('POST', '/api/v1.5/products/create/', { as: 'maker', body })
const portions = { servings: '10', serving_size: { value: 5, unit: 'gram' } } as const

const sold = { ...flower, product_type: 'GUMMY' } as const

describe('allowed values', () => {
  /** Tries each value of one field in a request that is right otherwise; the answers by status. */
  const tried = async (world: World, bodies: object[]) => {
    const counts = new Map<number, number>()
    for (const body of bodies) {
      const { status } = await post(world, body)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }
  const words = (text: string) => text.split(/\s+/)

  row('Allowed values > size units', 'six are taken, others are 400', async (world) => {
    const sized = (unit: string) => ({ ...sold, ...portions, package_size: { value: 1, unit } })
    const served = (unit: string) => ({ ...sold, ...portions, serving_size: { value: 1, unit } })
    const units = words('milligram gram milliliter liter ounces pounds')
    expect(
      await tried(
        world,
        units.flatMap((unit) => [sized(unit), served(unit)]),
      ),
    ).toEqual({ 200: 12 })
    expect(
      await tried(
        world,
        ['g', 'Gram', ''].flatMap((unit) => [sized(unit), served(unit)]),
      ),
    ).toEqual({ 400: 6 })
  })

  row('Allowed values > potency units', 'eleven are taken, others are 400', async (world) => {
    const units = words(
      `percentage milligram_per_gram microgram_per_gram parts_per_million milligram_per_kilogram
      milligram_per_milliliter gram_per_milliliter parts_per_billion water_activity ph cfu_per_gram`,
    )
    const potent = (unit: string) => ({
      ...flower,
      expected_total_cbd: { value: 1, unit },
      expected_total_thc: { value: 1, unit },
    })
    expect(await tried(world, units.map(potent))).toEqual({ 200: 11 })
    expect(await tried(world, ['gram', '%'].map(potent))).toEqual({ 400: 2 })
  })

  row('Allowed values > usage', 'R and M are taken, others are 400', async (world) => {
    const used = (usage: string) => ({ ...flower, usage })
    expect(await tried(world, ['R', 'M'].map(used))).toEqual({ 200: 2 })
    expect(await tried(world, ['r', 'Recreational', ''].map(used))).toEqual({ 400: 3 })
  })

  row('Allowed values > variety', 'eleven are taken, others are 400', async (world) => {
    const varied = (variety: string) => ({ ...flower, variety })
    const codes = words('IND STV HYB HSD HID CBD CBN CBN_CBD_THC CBG_CBD_THC THCV_CBD_THC CBD_THC')
    expect(await tried(world, codes.map(varied))).toEqual({ 200: 11 })
    expect(await tried(world, ['SAT', 'Hybrid'].map(varied))).toEqual({ 400: 2 })
  })

  row('Allowed values > chemotype', 'nine are taken, others are 400', async (world) => {
    const levels = ['high', 'moderate', 'low']
    const typed = (chemotype: string) => ({ ...flower, chemotype })
    const codes = levels.flatMap((thc) => levels.map((cbd) => `${thc}_thc_${cbd}_cbd`))
    expect(await tried(world, codes.map(typed))).toEqual({ 200: 9 })
    expect(await tried(world, ['high', 'low_cbd_low_thc'].map(typed))).toEqual({ 400: 2 })
  })

  row('Allowed values > container_type', 'nine are taken, others are 400', async (world) => {
    const held = (container_type: string) => ({ ...flower, container_type })
    const codes = words('bottle can capsule cartridge jar pen pouch syringe tube')
    expect(await tried(world, codes.map(held))).toEqual({ 200: 9 })
    expect(await tried(world, ['box', 'Jar'].map(held))).toEqual({ 400: 2 })
  })

  row('Allowed values > thc_cbd_ratio', 'a colon with at most one space a side', async (world) => {
    const mixed = (thc_cbd_ratio: string) => ({ ...flower, thc_cbd_ratio })
    expect(await tried(world, ['20:1', '20 : 1', '20 :1', '20: 1', '0.5:1'].map(mixed))).toEqual({ 200: 5 })
    expect(await tried(world, ['20  : 1', '20:  1', '20-1', '20', ':', 'a:b'].map(mixed))).toEqual({ 400: 6 })
  })

  row('Allowed values > product_type', 'all of the list are taken, others are 400', async (world) => {
    const typed = (product_type: string) => ({ ...flower, ...portions, product_type })
    expect(await tried(world, specifiedTypes.map(typed))).toEqual({ 200: 105 })
    expect(await tried(world, ['flower', 'Flower', 'FLOWERS'].map(typed))).toEqual({ 400: 3 })
  })

  row('Allowed values > portions', 'are required for what is eaten, drunk or dosed', async (world) => {
    const bare = (product_type: string) => ({ ...flower, product_type })
    expect(await tried(world, specifiedPortionedTypes.map(bare))).toEqual({ 400: 34 })
    const others = specifiedTypes.filter((type) => !specifiedPortionedTypes.includes(type))
    expect(await tried(world, others.map(bare))).toEqual({ 200: others.length })
    expect(await post(world, { ...sold, servings: '10' })).toMatchObject({
      status: 400,
      body: { serving_size: someList },
    })
  })
})
