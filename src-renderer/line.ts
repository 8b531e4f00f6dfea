import { openHost } from './host'

/** The line to main. The build loads this file as a script of its own, so that the line opens while the page is loaded. */
export const host = openHost(window)

// The first time of day that a page writes takes 25 ms, in which the runtime loads what it knows of calendars. Here they
// pass while the page's program is on its way.
new Intl.DateTimeFormat('en-US', { timeStyle: 'short' }).format()
