/** Which addresses connections to the outside may go to (reliability §5). */
import { BlockList, isIP } from 'node:net'
import { IllegalArgumentError } from '../util/errors.ts'
import { matchesWildcard } from '../util/wildcard.ts'

/** Addresses that are no public ones: special-purpose blocks of RFC 6890 and its registries. */
const SPECIAL_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Public ones begin with the bits 001; the blocks here are within those. */
const SPECIAL_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const

const special = new BlockList()
for (const [address, prefix] of SPECIAL_V4) special.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of SPECIAL_V6) special.addSubnet(address, prefix, 'ipv6')
const unicast = new BlockList()
unicast.addSubnet('2000::', 3, 'ipv6')
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address is reached from anywhere; forms that stand for addresses of version 4 are not. */
export function isPublic(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && unicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** A place that a connection is to go to. */
export interface OutboundTarget {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** Lists of places. */
export interface OutboundLists {
  /** Patterns of `host:port` that may be reached; addresses that are not public have to be named. */
  readonly allowed: readonly string[]
  /** Hosts, addresses and blocks that may be reached although they are not public. */
  readonly trusted: readonly string[]
  /** Hosts, addresses and blocks that may not be reached, whatever other lists say. */
  readonly denied?: readonly string[]
  /** Whether `localhost` may be reached unlisted: its name was allowed elsewhere. */
  readonly trustsLocalhost: boolean
}

/** Checks addresses, when they are known, before anything is sent to them. */
export interface OutboundGuard {
  /** @throws {EngineError} `illegal_argument_exception`: the name is denied, wherever it leads */
  checkName(target: OutboundTarget): void
  /** @throws {EngineError} `illegal_argument_exception`: the address may not be reached */
  check(target: OutboundTarget, address: string): void
}

/** The guard of lists. */
export function outboundGuard({
  allowed,
  trusted,
  denied = [],
  trustsLocalhost,
}: OutboundLists): OutboundGuard {
  const blocks = new BlockList()
  for (const entry of trusted) addTo(blocks, entry)
  const deniedBlocks = new BlockList()
  for (const entry of denied) addTo(deniedBlocks, entry)
  // A pattern of any host opens the public ones alone.
  const named = allowed.filter(pattern => !pattern.startsWith('*'))
  const isNamed = (host: string, port: number): boolean =>
    named.some(pattern => matchesWildcard(pattern, placeOf({ host, port })))
  const deniedError = (target: OutboundTarget): Error =>
    new IllegalArgumentError(`[${placeOf(target)}] is a denied host`)
  return {
    checkName(target) {
      if (isDenied(denied, target.host)) throw deniedError(target)
    },
    check({ host, port }, address) {
      const version = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (deniedBlocks.check(address, version)) throw deniedError({ host, port })
      if (isPublic(address) || trusted.includes(host) || blocks.check(address, version)) return
      if (isNamed(address, port)) return
      if (trustsLocalhost && host === 'localhost' && loopback.check(address, version)) return
      throw new IllegalArgumentError(
        `[${placeOf({ host, port })}] leads to [${address}], which is not a public address: list it in lamella.outbound.allowlist`,
      )
    },
  }
}

/** `host:port`, an address of version 6 in brackets. */
export function placeOf({ host, port }: OutboundTarget): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

/** Whether a name, in any case and with or without the dot of the root, is on a list. */
function isDenied(denied: readonly string[], host: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')
  return denied.some(name => plain(name) === plain(host))
}

/** Adds an address or a block; a name is none. */
function addTo(blocks: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/')
  const version = isIP(address)
  if (version === 0) return
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const bits = version === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  if (Number.isInteger(length) && length >= 0 && length <= bits)
    blocks.addSubnet(address, length, family)
}
