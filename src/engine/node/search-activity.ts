import { endTally, newTally, type Tally } from '../../shard/tally.ts'
import { nowInMillis } from '../../util/clock.ts'
import { SEARCH_PHASES, type SearchPhase, type SelectionUse } from '../api/search-phases.ts'

/** Weight of the newest value in a moving average. */
const ALPHA = 0.3

/** Searches as the node coordinates them: their phases, and how fast shards answer. */
export class SearchActivity {
  readonly phases: Readonly<Record<SearchPhase, Tally>> = Object.fromEntries(
    SEARCH_PHASES.map(phase => [phase, newTally()]),
  ) as Record<SearchPhase, Tally>
  /** Query phases of shards that have ended. */
  shardQueryCount = 0
  #queue = Number.NaN
  #service = Number.NaN
  #response = Number.NaN

  /** Begins a phase; the function that is returned ends it. */
  begin(phase: SearchPhase): () => void {
    const tally = this.phases[phase]
    const started = nowInMillis()
    tally.current++
    return () => endTally(tally, nowInMillis() - started)
  }

  /** Notes the query phase of a shard. @param queued requests that wait for a search thread */
  noteService(millis: number, queued: number): void {
    this.shardQueryCount++
    this.#service = moved(this.#service, millis * 1e6)
    this.#queue = moved(this.#queue, queued)
  }

  /** Notes the query phase of a search in all its shards. */
  noteResponse(millis: number): void {
    this.#response = moved(this.#response, millis * 1e6)
  }

  /** How fast shards answer; null before the first answer. */
  selection(): SelectionUse | null {
    if (Number.isNaN(this.#service) || Number.isNaN(this.#response)) return null
    const outgoing = this.phases.query.current
    return {
      outgoing,
      queueSize: this.#queue,
      serviceInNanos: this.#service,
      responseInNanos: this.#response,
      rank: rankOf(outgoing, this.#queue, this.#service / 1e6, this.#response / 1e6),
    }
  }
}

function moved(average: number, value: number): number {
  return Number.isNaN(average) ? value : ALPHA * value + (1 - ALPHA) * average
}

/** The rank of the algorithm C3 (Suresh et al., NSDI 2015) for one client; times in milliseconds. */
function rankOf(outgoing: number, queue: number, service: number, response: number): number {
  const estimate = 1 + outgoing + queue
  return response - 1 / service + estimate ** 3 / service
}
