import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate with its key, in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** An authority made for a test, and what it signs. */
export interface Authority extends Certificate {
  /**
   * @param name  DNS name that the certificate is for
   * @param units of an organization, which its subject names first
   */
  issue(name: string, units?: readonly string[]): Certificate
}

// DER (X.690) of the little that a certificate needs.
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))
const boolean = (): Buffer => der(0x01, Buffer.from([255]))
const octets = (content: Uint8Array): Buffer => der(0x04, content)
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content)
const time = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const UNIT = oid('55040b')
const BASIC_CONSTRAINTS = oid('551d13')
const ALT_NAME = oid('551d11')

const part = (type: Buffer, text: string): Buffer =>
  der(0x31, sequence(type, der(0x0c, Buffer.from(text))))
const nameOf = (text: string, units: readonly string[] = []): Buffer =>
  sequence(...units.map(unit => part(UNIT, unit)), part(COMMON_NAME, text))

function certificate(
  subject: string,
  issuer: string,
  publicKey: KeyObject,
  signingKey: KeyObject,
  serial: number,
  units: readonly string[] = [],
): string {
  const isAuthority = subject === issuer
  const extension = isAuthority
    ? sequence(BASIC_CONSTRAINTS, boolean(), octets(sequence(boolean())))
    : sequence(ALT_NAME, octets(sequence(der(0x82, Buffer.from(subject)))))
  const content = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(time(2020), time(2100)),
    nameOf(subject, units),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = sign('sha256', content, signingKey)
  const bytes = sequence(content, ECDSA_WITH_SHA256, bits(signature))
  const lines = bytes
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const keyPair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string

/** A new authority. */
export function newAuthority(name = 'test authority'): Authority {
  const { publicKey, privateKey } = keyPair()
  let serial = 1
  return {
    cert: certificate(name, name, publicKey, privateKey, serial),
    key: pem(privateKey),
    issue(subject, units) {
      const pair = keyPair()
      serial++
      return {
        cert: certificate(subject, name, pair.publicKey, privateKey, serial, units),
        key: pem(pair.privateKey),
      }
    },
  }
}
