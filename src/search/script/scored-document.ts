import type { ScoreDocument } from '../../script/painless/library/score-functions.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import { ScriptObject } from '../../script/value/script-value.ts'
import { textOfValue } from '../../script/value/value-text.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { assert } from '../../util/assert.ts'
import type { Long } from '../../util/long.ts'
import type { LeafDoc } from './leaf-doc.ts'
import type { ScriptPlan } from './script-plan.ts'
import { TermCounts } from './term-counts.ts'

/** The document at hand as score functions ask for it. */
export class ScoredDocument extends ScriptObject implements ScoreDocument {
  readonly className: string = 'org.opensearch.script.ScoreScript'
  readonly salt: number
  readonly #leaf: Leaf
  readonly #doc: LeafDoc
  readonly #run: ScriptRun
  readonly #terms: TermCounts | null
  #docId = -1

  constructor({ salt, terms }: ScriptPlan, leaf: Leaf, doc: LeafDoc, run: ScriptRun) {
    super()
    this.#leaf = leaf
    this.#doc = doc
    this.salt = salt
    this.#run = run
    this.#terms = terms === null ? null : new TermCounts(terms, leaf)
  }

  moveTo(docId: number): void {
    this.#docId = docId
  }

  get number(): number {
    return this.#leaf.docBase + this.#docId
  }

  override text(): string {
    return this.className
  }

  firstValueText(field: string): string {
    return textOfValue(this.#doc.field(field).value(), this.#run)
  }

  termFreq(field: string, term: string): number {
    return this.#counts().inDocument(field, term, this.#docId)
  }

  /** As the classic similarity has it. */
  tf(field: string, term: string): number {
    return Math.sqrt(this.termFreq(field, term))
  }

  totalTermFreq(field: string, term: string): Long {
    return this.#counts().inShard(field, term)
  }

  sumTotalTermFreq(field: string): Long {
    return this.#counts().tokens(field)
  }

  #counts(): TermCounts {
    assert(this.#terms !== null, 'the plan tells that the script asks for terms')
    return this.#terms
  }
}
