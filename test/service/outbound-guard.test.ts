import { describe, expect, it } from 'vitest'
import { isPublic, outboundGuard, placeOf } from '../../src/service/outbound-guard.ts'

const NOT_PUBLIC = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'not-an-address',
]

describe('an address', () => {
  it.each(NOT_PUBLIC)('%s is not public', address => {
    expect(isPublic(address)).toBe(false)
  })

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00:1450::1'])(
    '%s is public',
    address => {
      expect(isPublic(address)).toBe(true)
    },
  )
})

describe('a guard', () => {
  const refusal = (allowed: string[], trusted: string[], host: string, address = host): boolean => {
    try {
      outboundGuard({ allowed, trusted, trustsLocalhost: true }).check(
        { host, port: 9200 },
        address,
      )
      return false
    } catch {
      return true
    }
  }

  it.each(NOT_PUBLIC.filter(address => address !== 'not-an-address'))(
    'refuses a name that leads to %s, whatever pattern lets the name pass',
    address => {
      expect(refusal(['db.example:9200', '*:9200', 'db*:*'], [], 'db.example', address)).toBe(true)
    },
  )

  it('lets names of public addresses pass', () => {
    expect(refusal(['db.example:9200'], [], 'db.example', '8.8.8.8')).toBe(false)
  })

  it('lets an address pass that is listed by itself, with its port', () => {
    expect(refusal(['10.1.2.3:9200'], [], '10.1.2.3')).toBe(false)
    expect(refusal(['10.*:*'], [], '10.1.2.3')).toBe(false)
    expect(refusal(['10.1.2.3:9201'], [], '10.1.2.3')).toBe(true)
    expect(refusal(['*:9200'], [], '169.254.169.254')).toBe(true)
    expect(refusal(['[::1]:9200'], [], '::1')).toBe(false)
  })

  it('lets a name pass that leads to a listed address', () => {
    expect(refusal(['db.example:9200', '10.1.2.3:9200'], [], 'db.example', '10.1.2.3')).toBe(false)
  })

  it('takes localhost for what it says, and for nothing else', () => {
    expect(refusal(['localhost:9200'], [], 'localhost', '127.0.0.1')).toBe(false)
    expect(refusal(['localhost:9200'], [], 'localhost', '::1')).toBe(false)
    expect(refusal(['localhost:9200'], [], 'localhost', '10.0.0.1')).toBe(true)
  })

  it('trusts hosts, addresses and blocks that are listed as such', () => {
    expect(refusal([], ['db.example'], 'db.example', '10.1.2.3')).toBe(false)
    expect(refusal([], ['10.1.2.3'], 'db.example', '10.1.2.3')).toBe(false)
    expect(refusal([], ['10.0.0.0/8'], 'db.example', '10.1.2.3')).toBe(false)
    expect(refusal([], ['10.0.0.0/16'], 'db.example', '10.1.2.3')).toBe(true)
    expect(refusal([], ['fd00::/8'], 'db.example', 'fd00::1')).toBe(false)
    expect(refusal([], ['10.0.0.0/99', '10.0.0.0/x'], 'db.example', '10.1.2.3')).toBe(true)
  })

  it('names the address and the setting', () => {
    expect(() =>
      outboundGuard({ allowed: [], trusted: [], trustsLocalhost: true }).check(
        { host: 'db', port: 1 },
        '10.0.0.1',
      ),
    ).toThrow(
      '[db:1] leads to [10.0.0.1], which is not a public address: list it in lamella.outbound.allowlist',
    )
    expect(placeOf({ host: '::1', port: 9 })).toBe('[::1]:9')
  })
})
