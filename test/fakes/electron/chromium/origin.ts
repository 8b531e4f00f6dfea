/**
 * Chromium without Electron takes `app:` for a program outside and never asks for it, intercepted or not. So its pages are
 * at an https origin that is answered by main's own handler and by nothing else; main sees `app://countertag`, pages see this.
 */
export const pageOrigin = 'https://countertag.app.test'
const appOrigin = 'app://countertag'

export const toPage = (url: string): string => moved(url, appOrigin, pageOrigin)
export const toApp = (url: string): string => moved(url, pageOrigin, appOrigin)

const moved = (url: string, from: string, to: string) =>
  url === from || url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : url
