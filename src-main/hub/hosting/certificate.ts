import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A certificate that signs itself, with its key. Both in PEM. */
export interface OwnCertificate {
  key: string
  cert: string
}

/** An element of DER: https://www.itu.int/rec/T-REC-X.690 */
const element = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: Buffer[]) => element(0x30, ...parts)
const identifier = (hex: string) => element(0x06, Buffer.from(hex, 'hex'))
const octets = (...parts: Buffer[]) => element(0x04, ...parts)
const time = (at: Date) => element(0x18, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const nameOf = (text: string) =>
  sequence(element(0x31, sequence(identifier('550403'), element(0x0c, Buffer.from(text)))))
const alternative = (name: string) =>
  isIPv4(name) ? element(0x87, Buffer.from(name.split('.').map(Number))) : element(0x82, Buffer.from(name))

/**
 * Makes a key and a certificate for it: P-256, for IPv4 addresses and host names as alternative names (RFC 5280). `life`: from and
 * to when.
 */
export function selfSigned(commonName: string, names: readonly string[], life: [Date, Date]): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = nameOf(commonName)
  // Clients are given this very certificate as the authority.
  const isAuthority = sequence(identifier('551d13'), octets(sequence(element(0x01, Buffer.from([255])))))
  const isFor = sequence(identifier('551d11'), octets(sequence(...names.map(alternative))))
  const contents = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    // The first byte keeps the number positive.
    element(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    sequence(...life.map(time)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(isAuthority, isFor)),
  )
  const signature = element(0x03, Buffer.from([0]), sign('sha256', contents, privateKey))
  const lines =
    sequence(contents, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}
