import { scanners as scannersEn } from './en/scanners'
import { settings as settingsEn } from './en/settings'
import { scanners as scannersEs } from './es/scanners'
import { settings as settingsEs } from './es/settings'
import { addTexts } from './text.svelte'

const en = { ...settingsEn, ...scannersEn }
const es = { ...settingsEs, ...scannersEs } satisfies Record<keyof typeof en, string>

/** The texts of the screens that are not there from the start: whoever shows one of those imports this. */
export const later = { en, es }

addTexts(later)
