import { id } from './ids'
import { brands } from './people'

/** Thirteen products, the last one the house's own. `sku` names a product throughout this folder. */

type BrandKey = keyof typeof brands
const grams = (value: string) => ({ name: `${value} g`, value, unit: 'gram' })
const milligrams = (value: string) => ({ name: `${value} mg`, value, unit: 'milligram' })
const milliliters = (value: string) => ({ name: `${value} mL`, value, unit: 'milliliter' })
const percent = (value: string) => ({ name: `${value} %`, value, unit: 'percentage' })

const effect = (name: string, description: string) => ({ name, description, type: 'feeling', effect: 'positive' })
const relaxed = effect('Relaxed', 'Muscles loosen, the day slows down.')
const lively = effect('Lively', 'Good for a walk or for company.')
const sleepy = effect('Sleepy', 'Best kept for the end of the evening.')
const dryMouth = { name: 'Dry mouth', description: 'Keep water at hand.', type: 'body', effect: 'negative' }
const restlessNights = { name: 'Restless nights', description: '', type: 'medical', effect: 'medical' }

interface Sketch {
  sku: string
  name: string
  brand: BrandKey
  picture: string
  story: string
  points: string[]
}

/** What all products share; the list below adds the rest. */
const product = ({ sku, name, brand, picture, story, points }: Sketch) => ({
  uuid: id('product', sku),
  brand_uuid: brands[brand].uuid,
  sku,
  name,
  description: `<p>${story}</p><ul>${points.map((point) => `<li>${point}</li>`).join('')}</ul>`,
  published_on: '2026-05-04',
  available_on: '2026-05-11',
  added_on: '2026-04-20T14:00:00Z',
  updated_on: '2026-09-14T09:30:00Z',
  usage: 'R',
  picture: `${picture}.svg`,
  shelf_life: { value: 12, unit: 'months' },
  upc: `8500${String(Math.abs(number(sku))).padStart(8, '0')}`,
})

/** A stable number of a SKU, for its UPC. */
const number = (sku: string) =>
  Array.from(sku).reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 99_999_999, 7)

const flower = { product_type: 'FLOWER', container_type: 'jar', package_size: grams('3.5'), product_line: 'Greenhouse' }
const edible = { servings: '10', serving_size: milligrams('10'), allergen: [], special_diet: ['Gluten free'] }

export const products = [
  {
    ...product({
      sku: 'HF-BD-35',
      name: 'Blue Dune, 3.5 g',
      brand: 'hudson',
      picture: 'blue-dune',
      story: 'Dense buds with a blueberry nose and a slow, warm finish.',
      points: ['Hand trimmed', 'Cured for 21 days', 'Grown in living soil'],
    }),
    ...flower,
    variety: 'HID',
    strain: 'Blue Dune',
    expected_total_thc: percent('24'),
    positive_effects: [relaxed],
  },
  {
    ...product({
      sku: 'HF-LF-35',
      name: 'Lemon Ferry, 3.5 g',
      brand: 'hudson',
      picture: 'lemon-ferry',
      story: 'Bright citrus peel over fresh cut grass; a morning flower.',
      points: ['Hand trimmed', 'High limonene', 'Grown in living soil'],
    }),
    ...flower,
    variety: 'STV',
    strain: 'Lemon Ferry',
    expected_total_thc: percent('21'),
    positive_effects: [lively],
  },
  {
    ...product({
      sku: 'HF-GS-5PK',
      name: 'Garden Statement Pre-Rolls, 5 × 0.5 g',
      brand: 'hudson',
      picture: 'garden-statement',
      story: 'Five half-gram pre-rolls in a tin that fits a shirt pocket.',
      points: ['Whole flower, no trim', 'Rice paper', 'Tin can be refilled'],
    }),
    product_type: 'PRE_ROLLS',
    container_type: 'can',
    package_size: grams('2.5'),
    pieces_per_package: 5,
    variety: 'HYB',
    strain: 'Garden Statement',
    expected_total_thc: percent('22'),
    positive_effects: [lively, relaxed],
  },
  {
    ...product({
      sku: 'HF-PA-1',
      name: 'Palisades Pre-Roll, 1 g',
      brand: 'hudson',
      picture: 'palisades',
      story: 'One gram of ground Palisades in a glass tube with a cork.',
      points: ['Slow burning', 'Glass tube, cork stopper'],
    }),
    product_type: 'PRE_ROLLS',
    container_type: 'tube',
    package_size: grams('1'),
    pieces_per_package: 1,
    variety: 'HSD',
    strain: 'Palisades',
    expected_total_thc: percent('23'),
    positive_effects: [lively],
  },
  {
    ...product({
      sku: 'HF-HG-7',
      name: 'Hudson Ground, 7 g',
      brand: 'hudson',
      picture: 'hudson-ground',
      story: 'A quarter ounce of milled house blend, ready to roll.',
      points: ['Even mill, no stems', 'Pouch with zip and humidity pack'],
    }),
    product_type: 'PRE_GROUND',
    container_type: 'pouch',
    package_size: grams('7'),
    variety: 'HYB',
    strain: 'House blend',
    expected_total_thc: percent('19'),
  },
  {
    ...product({
      sku: 'IB-FS-1',
      name: 'Ferry Street Cartridge, 1 g',
      brand: 'ironbound',
      picture: 'ferry-street',
      story: 'Live resin with its own terpenes, in a ceramic 510 cartridge.',
      points: ['Ceramic coil', 'Nothing added'],
    }),
    product_type: 'VAPE',
    container_type: 'cartridge',
    package_size: grams('1'),
    variety: 'HYB',
    strain: 'Ferry Street',
    expected_total_thc: percent('82'),
    positive_effects: [lively],
  },
  {
    ...product({
      sku: 'IB-NS-05',
      name: 'Night Shift Disposable, 0.5 g',
      brand: 'ironbound',
      picture: 'night-shift',
      story: 'A pen for the last hour of the day; charge it by USB-C.',
      points: ['CBN 1:4', 'Rechargeable'],
    }),
    product_type: 'DISPOSABLE_VAPE',
    container_type: 'pen',
    package_size: grams('0.5'),
    variety: 'CBN_CBD_THC',
    strain: 'Night Shift',
    expected_total_thc: percent('74'),
    positive_effects: [sleepy],
  },
  {
    ...product({
      sku: 'IB-FR-1',
      name: 'Foundry Live Rosin, 1 g',
      brand: 'ironbound',
      picture: 'foundry-rosin',
      story: 'Ice water hash, pressed at low heat; keep it cold.',
      points: ['Solventless', 'Keep refrigerated'],
    }),
    product_type: 'LIVE_ROSIN',
    container_type: 'jar',
    package_size: grams('1'),
    variety: 'IND',
    strain: 'Foundry Cake',
    expected_total_thc: percent('76'),
    positive_effects: [relaxed, sleepy],
  },
  {
    ...product({
      sku: 'IB-DS-1',
      name: 'Cut Glass Diamonds and Sauce, 1 g',
      brand: 'ironbound',
      picture: 'cut-glass',
      story: 'THCa crystals in terpene sauce, from frozen flower.',
      points: ['Glass jar with child-resistant lid', 'Store upright'],
    }),
    product_type: 'LIVE_DIAMONDS_AND_SAUCE',
    container_type: 'jar',
    package_size: grams('1'),
    variety: 'HYB',
    strain: 'Cut Glass',
    published_on: null,
    expected_total_thc: percent('85'),
  },
  {
    ...product({
      sku: 'SK-PG-10',
      name: 'White Peach Gummies, 10 × 10 mg',
      brand: 'sunday',
      picture: 'white-peach',
      story: 'Soft pectin gummies made with white peach purée.',
      points: ['Vegan', '10 mg THC in each piece', 'Made in small kettles'],
    }),
    ...edible,
    product_type: 'GUMMY',
    container_type: 'pouch',
    package_size: milligrams('100'),
    pieces_per_package: 10,
    special_diet: ['Vegan', 'Gluten free'],
    ingredients: ['Cane sugar', 'White peach purée', 'Pectin', 'Citric acid'].map((name) => ({ name })),
    expected_total_thc: { name: '10 mg per piece', value: '10', unit: 'milligram_per_gram' },
    dosages: [
      {
        name: 'One gummy',
        quantity: 1,
        quantity_unit: { singular: 'piece', multiple: 'pieces' },
        serving_size: 4,
        serving_size_unit: 'gram',
        thc: 10,
        thc_unit: 'milligram',
        cbd: 0,
        cbd_unit: 'milligram',
      },
    ],
  },
  {
    ...product({
      sku: 'SK-SC-10',
      name: 'Sea Salt Dark Chocolate, 10 × 10 mg',
      brand: 'sunday',
      picture: 'sea-salt',
      story: 'A 70 % bar scored into ten even squares, with flaked salt.',
      points: ['10 mg THC in each square', 'Contains soy'],
    }),
    ...edible,
    product_type: 'CHOCOLATE',
    container_type: 'pouch',
    package_size: milligrams('100'),
    pieces_per_package: 10,
    allergen: ['Soy'],
    allergen_statement: 'Contains soy. Made in a kitchen that also handles milk and nuts.',
    ingredients: ['Cocoa mass', 'Cane sugar', 'Cocoa butter', 'Sea salt', 'Soy lecithin'].map((name) => ({ name })),
    expected_total_thc: { name: '10 mg per square', value: '10', unit: 'milligram_per_gram' },
    positive_effects: [relaxed],
    negative_effects: [dryMouth],
    medical_uses: [restlessNights],
    usage_recommendation: 'Start with one square and wait two hours.',
    dosages: [
      {
        name: 'Two squares',
        quantity: 2,
        quantity_unit: { singular: 'square', multiple: 'squares' },
        serving_size: 10,
        serving_size_unit: 'gram',
        thc: 20,
        thc_unit: 'milligram',
      },
    ],
  },
  {
    ...product({
      sku: 'SK-SE-30',
      name: 'Slow Evening Tincture 1:1, 30 mL',
      brand: 'sunday',
      picture: 'slow-evening',
      story: 'Equal parts THC and CBD in MCT oil, with a marked dropper.',
      points: ['5 mg THC and 5 mg CBD per mL', 'Orange and cardamom'],
    }),
    ...edible,
    product_type: 'TINCTURE',
    container_type: 'bottle',
    package_size: milliliters('30'),
    servings: '30',
    serving_size: milliliters('1'),
    variety: 'CBD_THC',
    thc_cbd_ratio: '1:1',
    expected_total_thc: { name: '5 mg/mL', value: '5', unit: 'milligram_per_milliliter' },
    expected_total_cbd: { name: '5 mg/mL', value: '5', unit: 'milligram_per_milliliter' },
    positive_effects: [sleepy, relaxed],
  },
  {
    ...product({
      sku: 'GD-HF-35',
      name: 'House Flower, 3.5 g',
      brand: 'house',
      picture: 'house-flower',
      // A hostile description: screens must not run any of it.
      story:
        'A steady everyday flower, <b>weighed and packed</b> behind the counter.<script>document.title = "ran"</script>',
      points: ['Packed in store', 'Even buds'],
    }),
    ...flower,
    product_line: 'House',
    variety: 'HYB',
    strain: 'House Cut',
    expected_total_thc: percent('20'),
    positive_effects: [relaxed],
  },
]
