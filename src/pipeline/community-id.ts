/** Hashes of network flows (C. Kreibich, "Community ID Flow Hashing", version 1). */

import { createHash } from 'node:crypto'
import { compareBytes } from '../util/bytes.ts'

/** Numbers of the protocols whose messages have types in place of ports. */
export const ICMP = 1
export const ICMP_V6 = 58

/** A flow between two addresses of one version, as 4 or 16 bytes. */
interface Flow {
  readonly protocol: number
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly fromPort: number
  readonly toPort: number
  /** Whether no answer belongs to it, so that its direction counts. */
  readonly isOneWay: boolean
}

/** Types of messages and of their answers. */
const PAIRS: Readonly<Record<number, readonly (readonly [type: number, answer: number])[]>> = {
  [ICMP]: [
    [8, 0],
    [10, 9],
    [13, 14],
    [15, 16],
    [17, 18],
  ],
  [ICMP_V6]: [
    [128, 129],
    [130, 131],
    [133, 134],
    [135, 136],
    [139, 140],
    [144, 145],
  ],
}

/** The type of the messages that answer one, or that it answers; null: there is none. */
export function icmpCounterpart(protocol: number, type: number): number | null {
  for (const [one, other] of PAIRS[protocol] ?? []) {
    if (type === one) return other
    if (type === other) return one
  }
  return null
}

/**
 * The hash of a flow; both directions have the same.
 * @param seed 0 … 65,535
 */
export function communityId(flow: Flow, seed: number): string {
  const order = compareBytes(flow.from, flow.to)
  const isOrdered = flow.isOneWay || order < 0 || (order === 0 && flow.fromPort < flow.toPort)
  const [first, second] = isOrdered ? [flow.from, flow.to] : [flow.to, flow.from]
  const ports = isOrdered ? [flow.fromPort, flow.toPort] : [flow.toPort, flow.fromPort]
  const hash = createHash('sha1')
    .update(word(seed))
    .update(first)
    .update(second)
    .update(Uint8Array.of(flow.protocol, 0))
  for (const port of ports) hash.update(word(port))
  return `1:${hash.digest('base64')}`
}

function word(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff)
}
