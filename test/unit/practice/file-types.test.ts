import { describe, expect, it } from 'vitest'
import { fileTypeOf, readUpload } from '../../../src-practice/catalogue/assets'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the type of a file', () => {
  it.each([
    ['<svg xmlns="x"/>', 'image/svg+xml'],
    ['\ufeff  <?xml version="1.0"?><!DOCTYPE svg><!-- a --><!-- b --><svg>', 'image/svg+xml'],
    ['<svgx>', 'application/octet-stream'],
    ['<html><svg>', 'application/octet-stream'],
    ['<!-- <svg> -->', 'application/octet-stream'],
    [`${'<!-- -->'.repeat(400)}<p>`, 'application/octet-stream'],
    ['%PDF-1.4', 'application/pdf'],
    ['%PDF', 'application/octet-stream'],
    ['GIF88a', 'application/octet-stream'],
    ['RIFF1234WAVE', 'application/octet-stream'],
    ['RIFF1234WEBP', 'image/webp'],
    ['1234ftypqt  ', 'video/quicktime'],
    ['1234ftypavif', 'image/avif'],
    ['1234ftypconstructor', 'video/mp4'],
    ['OggS', 'video/ogg'],
    ['PK\u0003\u0004', 'application/zip'],
    ['', 'application/octet-stream'],
    ['<', 'application/octet-stream'],
  ])('is found from %j as %s', (text, mimeType) => {
    expect(fileTypeOf(bytes(text)).mimeType).toBe(mimeType)
  })

  it('is found quickly in a file made to be slow', () => {
    const started = Date.now()
    fileTypeOf(bytes('<!--'.repeat(1000)))
    fileTypeOf(bytes(`<?xml ${' '.repeat(3990)}`))
    expect(Date.now() - started).toBeLessThan(200)
  })
})

describe('an upload', () => {
  it('may be as large as its type allows, and no larger', () => {
    const png = (size: number) => {
      const file = Buffer.alloc(size)
      file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      return file.toString('base64')
    }
    expect(readUpload(png(5_000_000), 'images')).toMatchObject({ ok: true, value: { extension: 'png' } })
    expect(readUpload(png(5_000_001), 'images')).toEqual({ ok: false, error: 'The file is larger than 5000000 bytes.' })
    expect(readUpload(png(5_000_001), 'files').ok).toBe(true)
  })

  it.each(['', '====', 'A===', 'AAA', 'AA=A', 'AAAA\n', ' AAAA', 'AA-_', 'ÄAAA'])(
    'is refused with the content %j',
    (text) => {
      expect(readUpload(text, 'files')).toEqual({ ok: false, error: 'Not a valid Base64 text.' })
    },
  )
})
