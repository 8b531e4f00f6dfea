import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { PinHash } from '../station/station-file'

/** 2^15 rounds of 8 blocks: some 100 ms and 32 MB a try. A PIN is short: what guards it is that tries take long. */
const cost = 2 ** 15
const length = 32

export async function hashPin(pin: string): Promise<PinHash> {
  const salt = randomBytes(16)
  return { salt: salt.toString('base64'), hash: (await derive(pin, salt, cost)).toString('base64'), cost }
}

export async function isPin(pin: string, { salt, hash, cost: itsCost }: PinHash): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64')
  const derived = await derive(pin, Buffer.from(salt, 'base64'), itsCost)
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

const derive = (pin: string, salt: Buffer, N: number) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(pin, salt, length, { N, r: 8, p: 1, maxmem: 256 * N * 8 }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
