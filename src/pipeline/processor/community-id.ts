import { classNameOf } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parseAddress } from '../../util/ip-address.ts'
import { communityId, ICMP, ICMP_V6, icmpCounterpart } from '../community-id.ts'
import type { FieldPath } from '../field-path.ts'
import type { IngestDocument } from '../ingest-document.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** Numbers of the protocols that have a flow, by their names. */
const PROTOCOLS: ReadonlyMap<string, number> = new Map([
  ['icmp', ICMP],
  ['tcp', 6],
  ['udp', 17],
  ['ipv6-icmp', ICMP_V6],
  ['icmpv6', ICMP_V6],
  ['icmp-v6', ICMP_V6],
  ['icmp_v6', ICMP_V6],
  ['sctp', 132],
])
const NUMBERS: ReadonlySet<number> = new Set(PROTOCOLS.values())

/** `community_id`: the hash of a network flow by which tools tell flows. */
export const COMMUNITY_ID: ProcessorType = {
  name: 'community_id',
  parse(config) {
    const optional = (key: string): FieldPath | null => {
      const text = config.optionalText(key)
      return text === null || text === '' ? null : config.pathOf(key, text)
    }
    const sourceIp = config.path('source_ip_field')
    const sourcePort = optional('source_port_field')
    const targetIp = config.path('destination_ip_field')
    const targetPort = optional('destination_port_field')
    const number = optional('iana_protocol_number_field')
    const name = optional('protocol_field')
    const type = optional('icmp_type_field')
    const code = optional('icmp_code_field')
    const seed = config.int('seed', 0) ?? 0
    if (seed < 0 || seed > 65_535) throw config.fault('seed', 'seed must be between 0 and 65535')
    const result = config.pathOf(
      'target_field',
      config.optionalText('target_field') ?? 'community_id',
    )
    const ignoresMissing = config.flag('ignore_missing', false)

    /** A missing value: fine, or the error that it is. */
    const missing = (reason: string): null => {
      if (ignoresMissing) return null
      throw new IllegalArgumentError(reason)
    }
    const protocolOf = (document: IngestDocument): number | null => {
      const given = number === null ? null : integerAt(document, number)
      if (given !== null) {
        if (NUMBERS.has(given)) return given
        throw new IllegalArgumentError(`unsupported iana protocol number [${given}]`)
      }
      const text = name === null ? null : document.text(name, true)
      if (text === null)
        return missing(
          `cannot resolve protocol by neither iana protocol number field [${number?.text ?? null}] ` +
            `nor protocol name field [${name?.text ?? null}]`,
        )
      const known = PROTOCOLS.get(text.toLowerCase())
      if (known !== undefined) return known
      throw new IllegalArgumentError(`unsupported protocol [${text}]`)
    }
    const addressOf = (document: IngestDocument, path: FieldPath): Uint8Array | null => {
      const text = document.text(path, true)
      if (text === null || text === '')
        return missing(`ip address in the field [${path.text}] is null or empty`)
      const address = parseAddress(text)
      if (address !== null) return text.includes(':') ? address : address.subarray(12)
      throw new IllegalArgumentError(
        `ip address [${text}] in the field [${path.text}] is not a valid ipv4/ipv6 address`,
      )
    }
    const portOf = (document: IngestDocument, path: FieldPath | null): number | null => {
      if (path === null)
        return missing('both source port and destination port field path cannot be null nor empty')
      const port = integerAt(document, path)
      if (port === null)
        return missing(
          `both source port and destination port cannot be null, but port in the field path [${path.text}] is null`,
        )
      if (port >= 0 && port <= 65_535) return port
      throw new IllegalArgumentError(
        `both source port and destination port must be between 0 and 65535, but port in the field path [${path.text}] is [${port}]`,
      )
    }
    const icmpOf = (
      document: IngestDocument,
      path: FieldPath | null,
      part: string,
    ): number | null => {
      if (path === null) return missing(`icmp message ${part} field path cannot be null nor empty`)
      const value = integerAt(document, path)
      if (value === null) return missing(`icmp message ${part} cannot be null`)
      if (value >= 0 && value <= 255) return value
      throw new IllegalArgumentError(`invalid icmp message ${part} [${value}]`)
    }

    return changes(document => {
      const protocol = protocolOf(document)
      if (protocol === null) return
      const from = addressOf(document, sourceIp)
      const to = from === null ? null : addressOf(document, targetIp)
      if (from === null || to === null) return
      if (from.length !== to.length)
        throw new IllegalArgumentError('source ip and destination ip must have same format')
      const isIcmp = protocol === ICMP || protocol === ICMP_V6
      const first = isIcmp ? icmpOf(document, type, 'type') : portOf(document, sourcePort)
      if (first === null) return
      const counterpart = isIcmp ? icmpCounterpart(protocol, first) : null
      const second =
        counterpart ?? (isIcmp ? icmpOf(document, code, 'code') : portOf(document, targetPort))
      if (second === null) return
      const isOneWay = isIcmp && counterpart === null
      const flow = { protocol, from, to, fromPort: first, toPort: second, isOneWay }
      document.set(result, communityId(flow, seed))
    })
  },
}

/** The whole number at a path; null where there is none. */
function integerAt(document: IngestDocument, path: FieldPath): number | null {
  const value = document.find(path)
  if (value === null || (typeof value === 'number' && Number.isInteger(value))) return value
  throw new IllegalArgumentError(
    `field [${path.text}] of type [${classNameOf(value)}] cannot be cast to [java.lang.Integer]`,
  )
}
