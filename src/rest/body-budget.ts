/**
 * How many bytes of request bodies a server holds at once, over all connections: what does not fit
 * is refused with a 429 before it is read, instead of taking the process down with it.
 */
import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import { EngineError } from '../util/errors.ts'
import { parseSize, sizeText } from '../util/units.ts'

/** The bytes that a server may hold. */
export class BodyBudget {
  readonly #limit: number
  #used = 0

  /** @param settings the node's: a share of `memory.limit`, all of it by default */
  constructor(settings: Settings) {
    const available = Math.min(constrainedMemory() || totalmem(), totalmem())
    const memory = shareOf(nodeSettings.text(settings, 'memory.limit'), available)
    const limit = nodeSettings.text(settings, 'network.breaker.inflight_requests.limit')
    this.#limit = shareOf(limit, memory)
  }

  /** What one request will hold; nothing yet. */
  open(): BodyReservation {
    let held = 0
    let isOpen = true
    return {
      add: bytes => {
        const wanted = this.#used + bytes
        if (wanted > this.#limit) throw tooMuch(wanted, this.#limit)
        // A client that left has been released already, and holds nothing more.
        if (!isOpen) return
        held += bytes
        this.#used = wanted
      },
      release: () => {
        isOpen = false
        this.#used -= held
        held = 0
      },
    }
  }
}

/** The bytes that one request holds. */
export interface BodyReservation {
  /** @throws {EngineError} 429 `circuit_breaking_exception`: the budget is used up */
  add(bytes: number): void
  /** Gives all of them back; idempotent. */
  release(): void
}

/** Bytes of a size, or of a share of `whole`. */
function shareOf(text: string, whole: number): number {
  if (text.endsWith('%')) return Math.floor((whole * Number(text.slice(0, -1))) / 100)
  return parseSize(text, 'memory.limit')
}

function tooMuch(wanted: number, limit: number): EngineError {
  return new EngineError({
    type: 'circuit_breaking_exception',
    reason:
      `[in_flight_requests] Data too large, data for [<http_request>] would be ` +
      `[${wanted}/${sizeText(wanted)}], which is larger than the limit of ` +
      `[${limit}/${sizeText(limit)}]`,
    extra: { bytes_wanted: wanted, bytes_limit: limit, durability: 'TRANSIENT' },
  })
}
