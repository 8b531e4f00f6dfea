import '../zod-without-eval'
import { mount } from 'svelte'
import '../ui/tokens.css'
import '../ui/base.css'
import Gallery from './Gallery.svelte'

/** Every shared component in every state, without main: `/gallery.html` of the browser host. */
mount(Gallery, { target: document.body })
