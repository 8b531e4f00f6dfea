import '../zod-without-eval'
import { mount } from 'svelte'
import { Locale } from '../../src-shared/ipc/contract/app'
import { later } from '../text/en/later'
import { addEnglish, language } from '../text/text.svelte'
import '../ui/tokens.css'
import '../ui/base.css'
import Gallery from './Gallery.svelte'

/** Every shared component in every state, without main: `/gallery.html` of the browser host, in Spanish with `?locale=es`. */
addEnglish(later)
await language.show(Locale.catch('en').parse(new URLSearchParams(location.search).get('locale')))
mount(Gallery, { target: document.body })
