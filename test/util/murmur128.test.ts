import { expect, it } from 'vitest'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { murmur128, murmur128First } from '../../src/util/murmur128.ts'
import { Word64 } from '../../src/util/word64.ts'

it('gives the halves that its reference implementation gives', () => {
  const hex = (text: string): string[] => murmur128(encodeUtf8(text)).map(half => half.toString(16))
  expect(hex('')).toEqual(['0', '0'])
  expect(hex('hello')).toEqual(['cbd8a7b341bd9b02', '5b1e906a48ae1d19'])
  expect(hex('The quick brown fox jumps over the lazy dog')).toEqual([
    'e34bbc7bbc071b6c',
    '7a433ca9c49a9347',
  ])
})

it('gives the first half alone for bytes of any length', () => {
  const word = new Word64()
  for (let length = 0; length < 40; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => 37 * i + 200)
    murmur128First(bytes, word)
    expect(word.toBigInt()).toBe(murmur128(bytes)[0])
  }
})
