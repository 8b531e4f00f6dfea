import { code128, drawingSVG, qrcode } from 'bwip-js/generic'
import type { PracticeCode } from '../../src-shared/ipc/contract/app'
import type { Client } from '../../src-shared/ipc/client'
import { Ask } from '../ui/ask.svelte'

/** The codes of the practice sheet, loaded when it is opened: each case with its items. */
export class Sheet {
  readonly #ask = new Ask<PracticeCode[]>()
  codes = $derived(this.#ask.value)
  error = $derived(this.#ask.error)

  packages = $derived(this.#ofKind('package'))
  readonly #allCases = $derived(
    this.#ofKind('case').map((one) => ({
      code: one,
      tags: this.#ofKind('tag').filter(({ caseText }) => caseText === one.text),
    })),
  )
  cases = $derived(this.#allCases.filter((one) => !isHeldBack(one)))
  /** Items of our inventory that are not sold just like that. Nothing is done with their cases, whose codes would take a page. */
  heldBack = $derived(this.#allCases.filter(isHeldBack).flatMap(({ tags }) => tags))
  /** Items in no case: loose in a package. */
  loose = $derived(this.#ofKind('tag').filter(({ caseText }) => caseText === null))

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async load(): Promise<void> {
    this.#ask.clear()
    await this.#ask.ask(() => this.#client.call('practice.codes', undefined))
  }

  #ofKind(kind: PracticeCode['kind']): PracticeCode[] {
    return (this.codes ?? []).filter((code) => code.kind === kind)
  }
}

const isHeldBack = ({ code, tags }: { code: PracticeCode; tags: PracticeCode[] }) =>
  code.about === 'imported-here' && tags.length > 0 && tags.every(({ about }) => about !== null)

/** As printed in the trade: QR codes on items and cases, Code 128 on package tags. */
export type Symbology = 'qr' | 'code128'

/**
 * A barcode as the address of a picture, black on white with the required quiet zone (4 modules around a QR code, 10 at
 * both ends of a Code 128). Null if the text can't be encoded in this symbology.
 */
export function drawCode(text: string, symbology: Symbology): string | null {
  // Non-ASCII letters would be encoded as bytes that a scanner reads as different text.
  if (!/^[ -~]+$/.test(text)) return null
  try {
    return `data:image/svg+xml,${encodeURIComponent(symbology === 'qr' ? drawQr(text) : drawCode128(text))}`
  } catch {
    // The library throws if the text is too long for the symbology.
    return null
  }
}

const paper = { backgroundcolor: 'ffffff', barcolor: '000000' }

const drawQr = (text: string) =>
  qrcode({ bcid: 'qrcode', text, ...paper, scale: 2, paddingwidth: 4, paddingheight: 4 }, drawingSVG())

const drawCode128 = (text: string) =>
  code128({ bcid: 'code128', text, ...paper, scale: 2, height: 12, paddingwidth: 10 }, drawingSVG())
