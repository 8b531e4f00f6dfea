/**
 * Chromium without Electron treats `app:` as an external protocol and never requests it, intercepted or not. So the
 * pages use an https origin that only main's own handler answers; main sees `app://countertag`, pages see this origin.
 */
export const pageOrigin = 'https://countertag.app.test'
const appOrigin = 'app://countertag'

export const toPage = (url: string): string => moved(url, appOrigin, pageOrigin)
export const toApp = (url: string): string => moved(url, pageOrigin, appOrigin)

const moved = (url: string, from: string, to: string) =>
  url === from || url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : url
