import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { type AddressBlock, addressBlock, isMapped, parseAddress } from '../util/ip-address.ts'

/**
 * Reads a block of addresses, `⟨address⟩/⟨prefix length⟩` (RFC 4632).
 * @throws {EngineError} `illegal_argument_exception`, `number_format_exception`: the text is none
 */
export function readAddressBlock(text: string): AddressBlock {
  const [addressText = '', lengthText = '', ...rest] = text.split('/')
  if (lengthText === '' || rest.length > 0)
    throw new IllegalArgumentError(`Expected [ip/prefix] but was [${text}]`)
  const address = parseAddress(addressText)
  if (address === null) throw new IllegalArgumentError(notAnAddress(addressText))
  // The prefix could be meant within 4 bytes or within 16.
  if (addressText.includes(':') && isMapped(address))
    throw new IllegalArgumentError(
      'CIDR notation is not allowed with IPv6-mapped IPv4 address ' +
        `[${addressText} as it introduces ambiguity as to whether the prefix length should be ` +
        'interpreted as a v4 prefix length or a v6 prefix length',
    )
  if (!/^[+-]?\d{1,9}$/.test(lengthText))
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${lengthText}"`,
    })
  const block = addressBlock(address, Number(lengthText))
  if (block !== null) return block
  throw new IllegalArgumentError(
    `Illegal prefix length [${Number(lengthText)}] in [${text}]. Must be 0-32 for IPv4 ranges, ` +
      '0-128 for IPv6 ranges',
  )
}

/** The reason for refusing a text that is no address. */
export function notAnAddress(text: string): string {
  return `'${text}' is not an IP string literal.`
}
