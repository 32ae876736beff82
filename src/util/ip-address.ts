/**
 * Internet addresses as 16 bytes, most significant first: those of version 4 are mapped into version 6
 * (RFC 4291, `::ffff:a.b.c.d`), so that bytes order all addresses.
 */

/** Bytes of an address. */
export const ADDRESS_BYTES = 16

/** Bits of the mapped prefix, which addresses of version 4 share. */
const MAPPED_BITS = 96

/** Addresses that share a prefix. */
export interface AddressBlock {
  /** First and last address. */
  readonly first: Uint8Array
  readonly last: Uint8Array
}

/** The address that a text stands for; null where it stands for none. */
export function parseAddress(text: string): Uint8Array | null {
  if (text.length > 45) return null
  return text.includes(':') ? parseVersion6(text) : parseVersion4(text)
}

function parseVersion4(text: string): Uint8Array | null {
  // A leading zero may mean octal elsewhere, so it means nothing here.
  const shape = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (shape === null) return null
  const address = new Uint8Array(ADDRESS_BYTES)
  address[10] = address[11] = 0xff
  for (let i = 0; i < 4; i++) {
    const part = shape[i + 1]!
    if (Number(part) > 255 || (part.length > 1 && part.startsWith('0'))) return null
    address[12 + i] = Number(part)
  }
  return address
}

function parseVersion6(text: string): Uint8Array | null {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  let groups = text
  if (tail.includes('.')) {
    const end = parseVersion4(tail)
    if (end === null) return null
    const hex = (at: number): string => ((end[at]! << 8) | end[at + 1]!).toString(16)
    groups = `${text.slice(0, lastColon + 1)}${hex(12)}:${hex(14)}`
  }
  const halves = groups.split('::')
  if (halves.length > 2) return null
  const parts = halves.map(half => (half === '' ? [] : half.split(':')))
  if (parts.some(half => half.some(part => !/^[0-9a-fA-F]{1,4}$/.test(part)))) return null
  const [before = [], after] = parts
  const count = before.length + (after?.length ?? 0)
  // Two colons stand for at least one group.
  if (after === undefined ? count !== 8 : count > 7) return null
  const address = new Uint8Array(ADDRESS_BYTES)
  const put = (part: string, group: number): void => {
    const value = Number.parseInt(part, 16)
    address[2 * group] = value >>> 8
    address[2 * group + 1] = value & 0xff
  }
  for (const [i, part] of before.entries()) put(part, i)
  for (const [i, part] of (after ?? []).entries()) put(part, 8 - (after?.length ?? 0) + i)
  return address
}

/** Whether an address is one of version 4, mapped. */
export function isMapped(address: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return false
  return address[10] === 0xff && address[11] === 0xff
}

/**
 * An address as it prints: dotted where it is of version 4, else in the shortest form of version 6,
 * lower case, the first of the longest runs of zero groups as two colons (RFC 5952).
 */
export function printAddress(address: Uint8Array): string {
  if (isMapped(address)) return dotted(address)
  const groups = groupsOf(address)
  let start = -1
  let length = 1
  for (let at = 0; at < 8; at++) {
    let end = at
    while (end < 8 && groups[end] === 0) end++
    if (end - at > length) {
      start = at
      length = end - at
    }
    at = Math.max(at, end)
  }
  const hex = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map(group => group.toString(16))
      .join(':')
  return start < 0 ? hex(0, 8) : `${hex(0, start)}::${hex(start + length, 8)}`
}

/** An address with all its groups, as Java's `getHostAddress` prints it; profiles show it so. */
export function hostAddress(address: Uint8Array): string {
  if (isMapped(address)) return dotted(address)
  return groupsOf(address)
    .map(group => group.toString(16))
    .join(':')
}

function dotted(address: Uint8Array): string {
  return address.subarray(12).join('.')
}

function groupsOf(address: Uint8Array): number[] {
  return Array.from({ length: 8 }, (_, i) => (address[2 * i]! << 8) | address[2 * i + 1]!)
}

/**
 * The block of addresses that have a prefix in common with `address`.
 * @param prefixLength in bits, of an address of version 4 counted within its four bytes
 * @returns null where the length is past the address
 */
export function addressBlock(address: Uint8Array, prefixLength: number): AddressBlock | null {
  const isShort = isMapped(address)
  if (prefixLength < 0 || prefixLength > (isShort ? 32 : 128)) return null
  const bits = prefixLength + (isShort ? MAPPED_BITS : 0)
  const first = address.slice()
  const last = address.slice()
  for (let i = 0; i < ADDRESS_BYTES; i++) {
    const mask = (0xff << Math.max(0, Math.min(8, 8 * (i + 1) - bits))) & 0xff
    first[i] = first[i]! & mask
    last[i] = last[i]! | (0xff ^ mask)
  }
  return { first, last }
}

/** An address as a number, whose order is the addresses'. */
export function addressNumber(address: Uint8Array): bigint {
  let value = 0n
  for (const byte of address) value = (value << 8n) | BigInt(byte)
  return value
}

/** The address of a number below 2¹²⁸. */
export function numberAddress(value: bigint): Uint8Array {
  const address = new Uint8Array(ADDRESS_BYTES)
  let rest = value
  for (let i = ADDRESS_BYTES - 1; i >= 0; i--) {
    address[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return address
}
