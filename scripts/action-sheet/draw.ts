import bwip from 'bwip-js/node'
import { Action, actionTexts } from '../../src-shared/scan/meaning'

export const sheetFile = 'docs/action-sheet.svg'

/** The text beside each code, in the languages of the app. */
const labels: Record<Action, readonly [english: string, spanish: string]> = {
  complete: ['Complete the order', 'Completar el pedido'],
  cancel: ['Clear the order', 'Vaciar el pedido'],
  remove: ['Remove mode on or off', 'Activar o quitar el modo de quitar'],
  undo: ['Undo the last scan', 'Deshacer la última lectura'],
  hold: ['Hold the order', 'Dejar el pedido en espera'],
}

/**
 * In mm, on A4 or Letter: codes far enough apart that a scanner reads only one, with the quiet zone that QR codes need.
 */
const page = { width: 210, height: 279 }
const code = { size: 34, left: 20, top: 34, step: 48 }

/** The printed sheet of action barcodes as SVG; the text is the same every time. */
export function drawSheet(): string {
  const rows = Action.options.map((action, index) => drawRow(action, code.top + index * code.step))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}mm" height="${page.height}mm" viewBox="0 0 ${page.width} ${page.height}" font-family="system-ui, sans-serif">
<title>Countertag: action barcodes</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${code.left}" y="20" font-size="7" font-weight="700">Countertag</text>
<text x="${page.width - code.left}" y="20" font-size="4" text-anchor="end">Scan instead of typing · Escanee en vez de teclear</text>
${rows.join('\n')}
</svg>
`
}

function drawRow(action: Action, top: number): string {
  const text = actionTexts[action]
  const drawn = bwip.toSVG({ bcid: 'qrcode', text })
  const box = /viewBox="([^"]+)"/.exec(drawn)?.[1]
  const path = /<path[^>]*>/.exec(drawn)?.[0]
  if (box === undefined || path === undefined) throw new Error(`bwip-js drew another SVG than expected: ${drawn}`)
  const [english, spanish] = labels[action]
  const right = code.left + code.size + 14
  return `<g>
<svg x="${code.left}" y="${top}" width="${code.size}" height="${code.size}" viewBox="${box}">${path}</svg>
<text x="${right}" y="${top + 14}" font-size="8" font-weight="700">${english}</text>
<text x="${right}" y="${top + 23}" font-size="6">${spanish}</text>
<text x="${right}" y="${top + 31}" font-size="3.5" fill="#555" font-family="monospace">${text}</text>
</g>`
}
