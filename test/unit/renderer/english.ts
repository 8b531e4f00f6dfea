import { afterEach, beforeEach } from 'vitest'
import { later } from '../../../src-renderer/text/en/later'
import { addEnglish, language, loadTexts } from '../../../src-renderer/text/text.svelte'

// As once all screens are loaded.
addEnglish(later)
await loadTexts('es')

// The files share their modules, and some tests change the language. Each test begins in English, as a new page does, and
// leaves English to what the next file writes while it is loaded.
const inEnglish = () => {
  language.locale = 'en'
}
beforeEach(inEnglish)
afterEach(inEnglish)
