import type { GatherNotes } from '../../search/collector/gather.ts'

/** The collectors that the real server would open on leaves. */
type CollectorKind = 'empty' | 'numeric' | 'ordinals' | 'hybrid' | 'string_hashing'

/** Leaves that were opened, by the collector that profiles name. */
export class CollectorCounts {
  readonly #counts: { [K in CollectorKind]: number } = {
    empty: 0,
    numeric: 0,
    ordinals: 0,
    hybrid: 0,
    string_hashing: 0,
  }

  add(kind: CollectorKind): void {
    this.#counts[kind]++
  }

  notes(): GatherNotes {
    const { empty, numeric, ordinals, hybrid, string_hashing } = this.#counts
    return {
      empty_collectors_used: empty,
      numeric_collectors_used: numeric,
      ordinals_collectors_used: ordinals,
      hybrid_collectors_used: hybrid,
      // Ords are noted as bits, whatever their number.
      ordinals_collectors_overhead_too_high: 0,
      string_hashing_collectors_used: string_hashing,
      dynamic_pruned_segments: 0,
    }
  }
}
