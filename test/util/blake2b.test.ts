import { expect, it } from 'vitest'
import { blake2b256 } from '../../src/util/blake2b.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const hex = (digest: Uint8Array): string => Buffer.from(digest).toString('hex')
const SALT = bytes('1234567890123456')

// From the reference implementation (`hashlib.blake2b` of Python).
it.each([
  [
    'nothing',
    hex(blake2b256(bytes(''), SALT)),
    '2734f709ec6741bd2fe47a225934f4aa4ea3481bb5b2600c9148331c897a5dcf',
  ],
  [
    'a word with a salt',
    hex(blake2b256(bytes('hello'), SALT)),
    '9265ba6abf92edcfc0ea03f0a3113ed5b6ea123f7afdaf21d1097aad0d587ab9',
  ],
  [
    'a word with a personalization',
    hex(blake2b256(bytes('hello'), undefined, SALT)),
    '1cec991a1ce5191f727fd591c6d57fb3883c3151135dc5ec4a6f5311969feb4a',
  ],
  [
    'a whole block',
    hex(blake2b256(bytes('x'.repeat(128)), SALT)),
    'bac54e81bcdfbbb9a32908efd272060deb342d6e12f451aa3d6c069450af4b44',
  ],
  [
    'a block and a byte',
    hex(blake2b256(bytes('x'.repeat(129)), SALT)),
    'ae86d27a9fa2926af56eaad151033312fd93c1487557285d1bd98d3ea2c80d72',
  ],
  [
    'several blocks',
    hex(blake2b256(bytes('straße 😀'.repeat(40)), SALT)),
    'b9478503cc1413799206ba40a4efad26fec1eebaf393de3c210adfdcdcafa748',
  ],
])('has the digest of %s', (_, digest, expected) => {
  expect(digest).toBe(expected)
})
