import { beforeEach } from 'vitest'
import { language } from '../../../src-renderer/text/text.svelte'

// The files share their modules, and some tests change the language. Each test begins in English, as a new page does.
beforeEach(() => {
  language.locale = 'en'
})
