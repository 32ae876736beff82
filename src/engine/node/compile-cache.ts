import { EngineError } from '../../util/errors.ts'

/** How many compilations a cache allows in a time; null: as many as are asked for. */
export type CompilationRate = { readonly count: number; readonly millis: number } | null

/** Counters of one cache since the start. */
export interface CompileCounts {
  readonly compilations: number
  readonly evictions: number
  /** Compilations that were refused because of the rate. */
  readonly refused: number
}

interface Entry<T> {
  readonly value: T
  usedAt: number
}

/**
 * Compiled scripts of one context by source, least recently used first. Only misses count for the rate, which
 * is a token bucket: it starts full and fills all the time.
 */
export class CompileCache<T> {
  readonly #entries = new Map<string, Entry<T>>()
  #tokens: number | null = null
  #filledAt = 0
  #compilations = 0
  #evictions = 0
  #refused = 0

  get counts(): CompileCounts {
    return {
      compilations: this.#compilations,
      evictions: this.#evictions,
      refused: this.#refused,
    }
  }

  /**
   * The compiled script of a key.
   * @param limits  as settings have them now; no entry lives longer than `expireMillis` without use, 0: for ever
   * @param setting names the rate in the error
   * @param nowMillis of a clock that does not go back
   * @throws {EngineError} 429 `general_script_exception`: the rate is used up; errors of `compile`
   */
  get(
    key: string,
    limits: {
      readonly maxSize: number
      readonly expireMillis: number
      readonly rate: CompilationRate
      readonly rateText: string
      readonly setting: string
    },
    nowMillis: number,
    compile: () => T,
  ): T {
    const { maxSize, expireMillis } = limits
    const known = this.#entries.get(key)
    if (known !== undefined && (expireMillis === 0 || nowMillis - known.usedAt < expireMillis)) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      known.usedAt = nowMillis
      return known.value
    }
    this.#take(limits.rate, nowMillis, limits.rateText, limits.setting)
    const value = compile()
    this.#compilations++
    this.#entries.delete(key)
    if (maxSize > 0) this.#entries.set(key, { value, usedAt: nowMillis })
    for (const old of this.#entries.keys()) {
      if (this.#entries.size <= maxSize) break
      this.#entries.delete(old)
      this.#evictions++
    }
    return value
  }

  #take(rate: CompilationRate, nowMillis: number, text: string, setting: string): void {
    if (rate === null) return
    const { count, millis } = rate
    const gained = ((nowMillis - this.#filledAt) * count) / millis
    const tokens = Math.min(count, this.#tokens === null ? count : this.#tokens + gained)
    this.#filledAt = nowMillis
    if (tokens >= 1) {
      this.#tokens = tokens - 1
      return
    }
    this.#tokens = tokens
    this.#refused++
    const reason =
      `[script] Too many dynamic script compilations within, max: [${text}]; please use indexed, or ` +
      `scripts with parameters instead; this limit can be changed by the [${setting}] setting`
    const cause = { type: 'circuit_breaking_exception', reason } as const
    throw new EngineError({
      type: 'general_script_exception',
      reason: 'Failed to compile script: too many compilations',
      status: 429,
      causedBy: cause,
      rootCause: [cause],
    })
  }
}
