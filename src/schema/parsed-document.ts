/**
 * A document as the index sees it: a list of operations, in reused typed arrays. Text and
 * keywords are byte ranges of the source or of the scratch beside it.
 */

import { NestedBlock } from './nested-block.ts'

/** Kinds of operations, with their operands. */
export const OPERATIONS = {
  /** Text to be analysed: bytes `[a, b)` of the source. */
  text: 0,
  /** The same of the scratch. */
  scratchText: 1,
  /** A keyword before its normalizer: bytes `[a, b)` of the source. */
  keyword: 2,
  /** The same of the scratch. */
  scratchKeyword: 3,
  /** A 64-bit integer, a · 2³² + b: integers, dates (milliseconds), booleans, scaled floats. */
  long: 4,
  /** A floating-point number, in `values`. */
  double: 5,
  /** A byte string: bytes `[a, b)` of the scratch. */
  bytes: 6,
  /** A term, bytes `[a, b)` of the scratch, with its frequency in `values`. */
  feature: 7,
} as const

/** The field ordinal of operations of `_ignored`, a keyword that names a field. */
export const IGNORED_FIELD = -1
/** The field ordinal of the operation of `_doc_count`, a long. */
export const DOC_COUNT_FIELD = -2

/** Operations of one document; valid until the parser reads the next. */
export class ParsedDocument {
  /** Bytes that the ranges of `text` and `keyword` lie in. */
  source: Uint8Array = new Uint8Array(0)
  /** Where the document itself starts and ends within `source`. */
  sourceStart = 0
  sourceEnd = 0
  /** Bytes that the ranges of `scratchText`, `scratchKeyword` and `bytes` lie in. */
  scratch: Uint8Array<ArrayBuffer> = new Uint8Array(1024)
  scratchLength = 0
  /** Keys of the values that may come once; field types that have such note them. */
  readonly onceKeys: Set<string> = new Set()
  /** How many operations there are. */
  count = 0
  kinds: Uint8Array<ArrayBuffer> = new Uint8Array(64)
  /** Ordinals in `Mapping.leaves`, or `IGNORED_FIELD`. */
  fields: Int32Array<ArrayBuffer> = new Int32Array(64)
  a: Int32Array<ArrayBuffer> = new Int32Array(64)
  b: Uint32Array<ArrayBuffer> = new Uint32Array(64)
  values: Float64Array<ArrayBuffer> = new Float64Array(64)
  /** Null for a document without nested objects. */
  nested: NestedBlock | null = null

  clear(source: Uint8Array, start: number, end: number): void {
    this.source = source
    this.sourceStart = start
    this.sourceEnd = end
    if (this.onceKeys.size > 0) this.onceKeys.clear()
    this.scratchLength = 0
    this.count = 0
    this.nested = null
  }

  push(kind: number, field: number, a: number, b: number): void {
    const at = this.count
    if (at === this.kinds.length) this.#grow()
    this.kinds[at] = kind
    this.fields[at] = field
    this.a[at] = a
    this.b[at] = b
    this.count = at + 1
  }

  pushDouble(field: number, value: number): void {
    this.push(OPERATIONS.double, field, 0, 0)
    this.values[this.count - 1] = value
  }

  /** Begins the document of a nested object of that path; returns how many there are by now. */
  openNested(path: string): number {
    this.nested ??= new NestedBlock()
    this.nested.open(path, this.count)
    return this.nested.documentCount - 1
  }

  /** Ends the document of a nested object, and copies its values to where they belong as well. */
  closeNested(toParent: boolean, toRoot: boolean): void {
    const block = this.nested!
    const own = toParent || toRoot ? block.ownRuns(this.count) : []
    const parent = block.parentOf(block.current)
    block.close(this.count)
    if (toParent) this.#copyRuns(own, parent)
    if (toRoot && !(toParent && parent === 0)) this.#copyRuns(own, 0)
    if (block.current !== parent) block.switchTo(parent, this.count)
  }

  #copyRuns(runs: readonly { readonly from: number; readonly to: number }[], to: number): void {
    this.nested!.switchTo(to, this.count)
    for (const run of runs)
      for (let at = run.from; at < run.to; at++) {
        const field = this.fields[at]!
        // Metadata belongs to the whole document alone.
        if (field < 0) continue
        const value = this.values[at]!
        this.push(this.kinds[at]!, field, this.a[at]!, this.b[at]!)
        this.values[this.count - 1] = value
      }
  }

  /** Makes room for `count` more scratch bytes. */
  reserveScratch(count: number): void {
    const needed = this.scratchLength + count
    if (needed <= this.scratch.length) return
    const larger = new Uint8Array(Math.max(needed, this.scratch.length * 2))
    larger.set(this.scratch.subarray(0, this.scratchLength))
    this.scratch = larger
  }

  #grow(): void {
    const size = this.kinds.length * 2
    const kinds = new Uint8Array(size)
    kinds.set(this.kinds)
    this.kinds = kinds
    const fields = new Int32Array(size)
    fields.set(this.fields)
    this.fields = fields
    const a = new Int32Array(size)
    a.set(this.a)
    this.a = a
    const b = new Uint32Array(size)
    b.set(this.b)
    this.b = b
    const values = new Float64Array(size)
    values.set(this.values)
    this.values = values
  }
}
