import type { ScriptRun } from '../../../script/script-run.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { compareBytes, encodeUtf8 } from '../../../util/bytes.ts'
import { EngineError } from '../../../util/errors.ts'
import type { Scorer } from '../../scorer/scorer.ts'
import { inputsOf, type LeafScript } from '../../script/leaf-script.ts'
import { scriptEngine } from '../../script/script-engine.ts'
import type { NestedDocs } from '../nested-docs.ts'
import type { SortComparator } from '../sort-comparator.ts'
import type { AfterValue, SortValue } from '../sort-key.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

type TextKey = SortKeyOf<'scriptText'>

/** By the text that a script gives a document, or its nested documents. */
export const scriptTextSort: SortKind<TextKey> = {
  open: (key, capacity, after, run) => new ScriptTextComparator(key, capacity, after, run),
  compare: (key, a, b) => compareTexts(key, a as Uint8Array | null, b as Uint8Array | null),
  valueType: () => 'STRING',
}

/** Compares texts of scripts by their bytes; a hit without nested documents comes last. */
function compareTexts({ descending }: TextKey, a: Uint8Array | null, b: Uint8Array | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const order = compareBytes(a, b)
  return descending ? -order : order
}

class ScriptTextComparator implements SortComparator {
  readonly #key: TextKey
  readonly #run: ScriptRun
  readonly #slots: (Uint8Array | null)[]
  readonly #after: Uint8Array | null
  #script: LeafScript | null = null
  #nested: NestedDocs | null = null
  #scorer: Pick<Scorer, 'score'> | null = null
  #candidate: Uint8Array | null = null

  constructor(key: TextKey, capacity: number, after: AfterValue | undefined, run: ScriptRun) {
    this.#key = key
    this.#run = run
    this.#slots = new Array<Uint8Array | null>(capacity).fill(null)
    this.#after = after instanceof Uint8Array ? after : null
  }

  openLeaf(leaf: Leaf, nested: NestedDocs | null): void {
    this.#nested = nested
    const inputs = inputsOf(this.#run, () => this.#scorer!.score())
    this.#script = scriptEngine().open(this.#key.script, leaf, inputs)
  }

  setScorer(scorer: Pick<Scorer, 'score'>): void {
    this.#scorer = scorer
  }

  load(docId: number): void {
    if (this.#key.nested === undefined) this.#candidate = this.#textOf(docId)
    else this.#candidate = this.#nested === null ? null : this.#textWithin(docId, this.#nested)
  }

  /** The first or last text of a hit's nested documents; null: it has none. */
  #textWithin(hit: number, nested: NestedDocs): Uint8Array | null {
    const { mode, nested: values } = this.#key
    let found: Uint8Array | null = null
    let left = values!.maxChildren
    for (let doc = nested.first(hit); doc >= 0 && left > 0; doc = nested.next()) {
      left--
      const text = this.#textOf(doc)
      if (found === null || compareBytes(text, found) < 0 === (mode === 'min')) found = text
    }
    return found
  }

  #textOf(docId: number): Uint8Array {
    const text = this.#script!.value(docId)
    if (typeof text === 'string') return encodeUtf8(text)
    throw new EngineError({
      type: 'null_pointer_exception',
      reason: 'the script of a sort by strings gave null',
      status: 400,
    })
  }

  compareSlot(slot: number): number {
    return compareTexts(this.#key, this.#candidate, this.#slots[slot] ?? null)
  }

  compareAfter(): number {
    return compareTexts(this.#key, this.#candidate, this.#after)
  }

  store(slot: number): void {
    this.#slots[slot] = this.#candidate
  }

  compareSlots(a: number, b: number): number {
    return compareTexts(this.#key, this.#slots[a] ?? null, this.#slots[b] ?? null)
  }

  value(slot: number): SortValue {
    return this.#slots[slot] ?? null
  }
}
