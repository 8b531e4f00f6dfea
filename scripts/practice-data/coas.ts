import { fraction, id, packageTag } from './ids'
import { products } from './products'

/** A certificate for each batch: most pass, one is expired, one fails, and most have untested values. */

export const coaUuid = (sku: string) => id('coa', sku)

const laboratory = (slug: string, name: string, street_address_1: string, city: string, postal_code: string) => ({
  uuid: id('laboratory', slug),
  name,
  street_address_1,
  city,
  state: 'NJ',
  postal_code,
})

export const laboratories = [
  laboratory('garden-state', 'Garden State Analytics', '20 Assay Street', 'Trenton', '08608'),
  laboratory('tidewater', 'Tidewater Testing', '5 Ferry Lane', 'Camden', '08102'),
]

const allPass = {
  cannabinoid_potency_tests: 'pass',
  filth_and_foreign_material_tests: 'pass',
  heavy_metals_tests: 'pass',
  homogeneity_tests: 'pass',
  microbials_tests: 'pass',
  moisture_content_tests: 'pass',
  mycotoxins_tests: 'pass',
  pesticides_tests: 'pass',
  residual_solvents_tests: 'pass',
  terpene_profiling_tests: 'pass',
  water_activity_tests: 'pass',
  ph_tests: 'pass',
  chemical_residue_tests: 'pass',
}

const plant = {
  ...allPass,
  homogeneity_tests: 'not_tested',
  residual_solvents_tests: 'not_tested',
  ph_tests: 'not_tested',
  chemical_residue_tests: 'not_tested',
}
const extract = {
  ...allPass,
  moisture_content_tests: 'not_tested',
  homogeneity_tests: 'not_tested',
  ph_tests: 'not_tested',
}
const edible = { ...allPass, moisture_content_tests: 'not_tested', terpene_profiling_tests: 'not_tested' }

const byType: Record<string, typeof allPass> = {
  FLOWER: plant,
  PRE_ROLLS: plant,
  PRE_GROUND: plant,
  GUMMY: edible,
  CHOCOLATE: edible,
  TINCTURE: edible,
}

/** SKUs with an unusual certificate. */
const fullyTested = 'HF-BD-35'
const expired = 'HF-HG-7'
const failing = 'SK-SC-10'

function testsPerformed(sku: string, type: string) {
  if (sku === fullyTested) return allPass
  const tests = byType[type] ?? extract
  return sku === failing ? { ...tests, homogeneity_tests: 'fail' } : tests
}

const total = (name: string, value: string | null, unit: string) => ({ name, value, unit })
const finding = (name: string, value: number, unit: string) => ({ name, value: value.toFixed(2), unit })

export const coas = products.map(({ sku, product_type, expected_total_thc }, index) => {
  const { value, unit } = expected_total_thc
  // A laboratory's result never exactly matches the expected value.
  const thc = Number(value) * (0.96 + 0.08 * fraction(sku))
  const isPlantOrExtract = unit === 'percentage'
  const years =
    sku === expired ? { made: '2025', ends: '2026-02-01T00:00:00Z' } : { made: '2026', ends: '2029-09-01T00:00:00Z' }
  return {
    uuid: coaUuid(sku),
    batch_uuid: id('batch', sku),
    laboratory_uuid: laboratories[index % 2 === 0 ? 0 : 1]?.uuid,
    sample_regulator_id: packageTag(501 + index),
    batch_regulatory_id: packageTag(101 + index),
    sample_received_on: `${years.made}-08-20T09:00:00Z`,
    report_created_on: `${years.made}-08-27T15:00:00Z`,
    report_expires_on: years.ends,
    certificate_url: `https://tag.example/certificates/${sku}`,
    certificate_source_url: `https://laboratory.example/reports/${sku}`,
    totals: {
      total_active_cannabinoids: total('Total active cannabinoids', (thc * 1.04).toFixed(2), unit),
      total_potential_thc: total('Total potential THC', thc.toFixed(2), unit),
      total_thc: total('Total THC', thc.toFixed(2), unit),
      total_potential_cbd: total('Total potential CBD', sku === 'SK-SE-30' ? '5.04' : '0.08', unit),
      total_cbd: total('Total CBD', sku === 'SK-SE-30' ? '5.04' : '0.08', unit),
      total_terpenes: total(
        'Total terpenes',
        isPlantOrExtract ? (1.4 + 2 * fraction(`${sku} terpenes`)).toFixed(2) : null,
        'percentage',
      ),
    },
    tests_performed: testsPerformed(sku, product_type),
    sample_tested_on: `${years.made}-08-25`,
    certificate_received_on: `${years.made}-08-28`,
    entered_on: `${years.made}-08-28T11:00:00Z`,
    tests_cannabinoids: {
      thca: finding('THCa', isPlantOrExtract ? thc * 1.12 : 0, unit),
      delta_9_thc: finding('Δ9-THC', isPlantOrExtract ? thc * 0.02 : thc, unit),
      cbg: finding('CBG', 0.3 + fraction(`${sku} cbg`), unit),
    },
    tests_terpenes: isPlantOrExtract
      ? {
          limonene: finding('Limonene', 0.2 + fraction(`${sku} limonene`), 'percentage'),
          myrcene: finding('Myrcene', 0.3 + fraction(`${sku} myrcene`), 'percentage'),
          beta_caryophyllene: finding('β-Caryophyllene', 0.1 + fraction(`${sku} caryophyllene`), 'percentage'),
        }
      : {},
    tests_heavy_metals: {
      lead: finding('Lead', 0.02, 'parts_per_million'),
      cadmium: finding('Cadmium', 0.01, 'parts_per_million'),
    },
    tests_water_activity: { water_activity: finding('Water activity', 0.55, 'water_activity') },
  }
})
