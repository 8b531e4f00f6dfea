/** A QR code as SVG: black on white, with the required quiet zone. `level`: how much of it may be dirty or damaged. */
export async function qrCode(text: string, level: 'L' | 'M'): Promise<string> {
  const { drawingSVG, qrcode } = await import('bwip-js/generic')
  const options = {
    ...{ bcid: 'qrcode', text, eclevel: level, scale: 2, paddingwidth: 4, paddingheight: 4 },
    ...{ backgroundcolor: 'ffffff', barcolor: '000000' },
  }
  return qrcode(options, drawingSVG())
}
