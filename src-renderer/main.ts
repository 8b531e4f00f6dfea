import './ui/tokens.css'
import './ui/base.css'
import { openHost } from './host'

// The line to main opens while the page is still being loaded.
const host = openHost(window)
const { showPage } = await import('./page')
showPage(host)
