import type { Turn } from '../../../util/turns.ts'
import { type ParsedHighlight, parseHighlight } from '../../dsl/search-body/highlight.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, HitReader, Reading } from '../fetch-part.ts'
import { asksShard, type HighlightPlan, highlightPlan } from '../highlight/highlight-plan.ts'

/** `highlight`: fragments of fields, with what the query matches between tags. */
export const highlightPart: FetchPart<ParsedHighlight | null> = {
  unasked: null,
  keys: { highlight: parseHighlight },
  subPhase: 'HighlightPhase',
  ofOptions: () => undefined,
  make(asked, subject) {
    if (asked === null) return null
    const plan = highlightPlan(asked, subject)
    if (plan.length === 0) return null
    if (!asksShard(asked, subject)) return () => new HighlightReader(plan, null)
    const onShard = ({ shard }: FetchedDocument): HighlightPlan =>
      highlightPlan(
        asked,
        subject,
        shard.place.snapshot.leaves.map(leaf => shard.leaf(leaf)),
      )
    return () => new HighlightReader(plan, onShard)
  },
}

class HighlightReader implements HitReader {
  readonly readsSource = true
  readonly extraUnits: number
  #plan: HighlightPlan
  #onShard: ((document: FetchedDocument) => HighlightPlan) | null

  /** @param onShard makes the plan anew by the first document's shard; null: it is the same on all */
  constructor(plan: HighlightPlan, onShard: ((document: FetchedDocument) => HighlightPlan) | null) {
    this.extraUnits = 16 * plan.length
    this.#plan = plan
    this.#onShard = onShard
  }

  read(document: FetchedDocument, to: PrintedHit, turn: Turn): Reading<void> | void {
    const reading = this.#readFields(document, to, turn)
    if (reading.next().done !== true) return paused(reading)
  }

  *#readFields(document: FetchedDocument, to: PrintedHit, turn: Turn): Reading<void> {
    if (this.#onShard !== null) this.#plan = this.#onShard(document)
    this.#onShard = null
    const shown = new Map<string, readonly string[]>()
    for (const { name, fragments } of this.#plan) {
      const found = yield* fragments(document, turn)
      if (found !== null) shown.set(name, found)
    }
    if (shown.size > 0) to.highlight = shown
  }
}

/** The rest of what has yielded, behind the pause that it asked for. */
function* paused(reading: Reading<void>): Reading<void> {
  yield
  yield* reading
}
