import { type ParsedHighlight, parseHighlight } from '../../dsl/search-body/highlight.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type { FetchedDocument, FetchPart, HitReader } from '../fetch-part.ts'
import { type HighlightPlan, highlightPlan } from '../highlight/highlight-plan.ts'

/** `highlight`: fragments of fields, with what the query matches between tags. */
export const highlightPart: FetchPart<ParsedHighlight | null> = {
  unasked: null,
  keys: { highlight: parseHighlight },
  subPhase: 'HighlightPhase',
  ofOptions: () => undefined,
  make(asked, subject) {
    if (asked === null) return null
    const plan = highlightPlan(asked, subject)
    return plan.length === 0 ? null : () => new HighlightReader(plan)
  },
}

class HighlightReader implements HitReader {
  readonly readsSource = true
  readonly extraUnits: number
  readonly #plan: HighlightPlan

  constructor(plan: HighlightPlan) {
    this.extraUnits = 16 * plan.length
    this.#plan = plan
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    const shown = new Map<string, readonly string[]>()
    for (const { name, fragments } of this.#plan) {
      const found = fragments(document)
      if (found !== null) shown.set(name, found)
    }
    if (shown.size > 0) to.highlight = shown
  }
}
