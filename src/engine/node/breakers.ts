import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { EngineError } from '../../util/errors.ts'
import { parseSize, sizeText } from '../../util/units.ts'
import type { BreakerName, BreakerView, Charge } from '../api/memory-charge.ts'

/** Where each finds its limit and the factor by which estimates count. */
const KEYS: Readonly<Record<BreakerName, string>> = {
  request: 'indices.breaker.request',
  fielddata: 'indices.breaker.fielddata',
  in_flight_requests: 'network.breaker.inflight_requests',
}
const PARENT_LIMIT = 'indices.breaker.total.limit'

interface Breaker {
  limit: number
  overhead: number
  used: number
  tripped: number
}

/**
 * Refuses work whose memory would not fit, before it is allocated: what is too large for a thread's
 * heap ends the whole process, whoever asked for it.
 */
export class Breakers {
  readonly #budget: number
  readonly #settings: () => Settings
  readonly #breakers: Readonly<Record<BreakerName, Breaker>> = {
    request: newBreaker(),
    fielddata: newBreaker(),
    in_flight_requests: newBreaker(),
  }
  #read: Settings | null = null
  #limit = 0
  #tripped = 0

  /**
   * @param budgetInBytes `memory.limit`, of which the limits are shares
   * @param settings the cluster's as they are now; the same object for as long as they do not change
   */
  constructor(budgetInBytes: number, settings: () => Settings) {
    this.#budget = budgetInBytes
    this.#settings = settings
  }

  /** @param label what the bytes are for, as the refusal names it */
  open(name: BreakerName, label: string): Charge {
    const breaker = this.#breakers[name]
    let held = 0
    let isOpen = true
    return {
      add: bytes => {
        if (!isOpen) return
        this.#update()
        const wanted = (breaker.used + bytes) * breaker.overhead
        if (wanted > breaker.limit) {
          breaker.tripped++
          throw tooMuch(name, label, wanted, breaker.limit)
        }
        const all = this.#used + bytes * breaker.overhead
        if (all > this.#limit) {
          this.#tripped++
          throw tooMuch('parent', label, all, this.#limit)
        }
        breaker.used += bytes
        held += bytes
      },
      release: () => {
        isOpen = false
        breaker.used -= held
        held = 0
      },
    }
  }

  /** The limit of one of them, in bytes. */
  limitOf(name: BreakerName): number {
    this.#update()
    return this.#breakers[name].limit
  }

  /** All breakers, the parent last. */
  views(): BreakerView[] {
    this.#update()
    const children = Object.entries(this.#breakers).map(([name, breaker]) => ({
      name: name as BreakerName,
      limitInBytes: breaker.limit,
      usedInBytes: breaker.used,
      overhead: breaker.overhead,
      tripped: breaker.tripped,
    }))
    const parent = {
      name: 'parent' as const,
      limitInBytes: this.#limit,
      usedInBytes: this.#used,
      overhead: 1,
      tripped: this.#tripped,
    }
    return [...children, parent]
  }

  get #used(): number {
    let used = 0
    for (const breaker of Object.values(this.#breakers)) used += breaker.used * breaker.overhead
    return used
  }

  /** Limits may change while the node runs. */
  #update(): void {
    const settings = this.#settings()
    if (settings === this.#read) return
    this.#read = settings
    const limitOf = (key: string): number => {
      const text = clusterSettings.text(settings, key)
      return text.endsWith('%')
        ? Math.floor((this.#budget * Number(text.slice(0, -1))) / 100)
        : parseSize(text, key)
    }
    this.#limit = limitOf(PARENT_LIMIT)
    for (const [name, breaker] of Object.entries(this.#breakers)) {
      const key = KEYS[name as BreakerName]
      breaker.limit = limitOf(`${key}.limit`)
      breaker.overhead = clusterSettings.number(settings, `${key}.overhead`) ?? 1
    }
  }
}

function newBreaker(): Breaker {
  return { limit: 0, overhead: 1, used: 0, tripped: 0 }
}

function tooMuch(name: string, label: string, bytes: number, limit: number): EngineError {
  const wanted = Math.ceil(bytes)
  return new EngineError({
    type: 'circuit_breaking_exception',
    reason:
      `[${name}] Data too large, data for [${label}] would be [${wanted}/${sizeText(wanted)}], ` +
      `which is larger than the limit of [${limit}/${sizeText(limit)}]`,
    extra: { bytes_wanted: wanted, bytes_limit: limit, durability: 'TRANSIENT' },
  })
}
