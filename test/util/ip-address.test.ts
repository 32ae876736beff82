import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressBlock,
  addressNumber,
  hostAddress,
  numberAddress,
  parseAddress,
  printAddress,
} from '../../src/util/ip-address.ts'

const address = fc.oneof(
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
  fc.array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 }),
  fc.ipV4().map(text => [...parseAddress(text)!]),
)

describe('addresses', () => {
  it('read back as they print, in both forms', () => {
    fc.assert(
      fc.property(address, bytes => {
        const given = Uint8Array.from(bytes)
        expect(parseAddress(printAddress(given))).toEqual(given)
        expect(parseAddress(hostAddress(given))).toEqual(given)
        expect(numberAddress(addressNumber(given))).toEqual(given)
      }),
    )
  })

  it('are those texts that the platform takes for addresses without a zone', () => {
    const garbled = fc.array(
      fc.constantFrom(':', '::', '.', '1', 'ffff', '0', '255', '256', 'g', '1.2.3.4'),
      {
        maxLength: 9,
      },
    )
    const texts = fc.oneof(
      fc.string(),
      fc.ipV6(),
      fc.ipV4(),
      fc.ipV4Extended(),
      garbled.map(parts => parts.join('')),
      garbled.map(parts => parts.join(':')),
    )
    fc.assert(
      fc.property(texts, text => {
        fc.pre(!text.includes('%'))
        expect(parseAddress(text) !== null).toBe(isIP(text) !== 0)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['192.168.0.1', '192.168.0.1'],
    ['::ffff:192.168.0.1', '192.168.0.1'],
    ['2001:0DB8:0000:0000:0001:0000:0000:0000', '2001:db8:0:0:1::'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['0:1:2:3:4:5:6:7', '0:1:2:3:4:5:6:7'],
    ['::1.2.3.4', '::102:304'],
  ])('%s prints as %s', (text, printed) => {
    expect(printAddress(parseAddress(text)!)).toBe(printed)
  })

  it.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    ':::1',
    '1::2::3',
    '12345::',
    ':1',
    '1:',
    'fe80::1%eth0',
    '1.2.3.4:1',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7:8:9',
    '::1.2.3',
  ])('%o is none', text => {
    expect(parseAddress(text)).toBeNull()
  })

  it('share the prefixes that the platform says they share', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.ipV6(), (text, length, other) => {
        const base = parseAddress(text)!
        fc.pre(printAddress(base).includes(':') && printAddress(parseAddress(other)!).includes(':'))
        const { first, last } = addressBlock(base, length)!
        const list = new BlockList()
        list.addSubnet(printAddress(base), length, 'ipv6')
        const number = addressNumber(parseAddress(other)!)
        const isIn = number >= addressNumber(first) && number <= addressNumber(last)
        expect(isIn).toBe(list.check(other, 'ipv6'))
        expect(isIn || addressNumber(base) >= addressNumber(first)).toBe(true)
      }),
    )
    const { first, last } = addressBlock(parseAddress('10.1.2.3')!, 12)!
    expect([printAddress(first), printAddress(last)]).toEqual(['10.0.0.0', '10.15.255.255'])
    expect(addressBlock(parseAddress('10.1.2.3')!, 33)).toBeNull()
    expect(addressBlock(parseAddress('::1')!, 129)).toBeNull()
    expect(addressBlock(parseAddress('::1')!, -1)).toBeNull()
  })
})
