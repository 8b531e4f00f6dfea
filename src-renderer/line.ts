import { openHost } from './host'

/** The line to main. The build loads this file as a script of its own, so that the line opens while the page is loaded. */
export const host = openHost(window)
