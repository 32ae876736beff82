/** Runs the script of a derived field on documents of one shard, ahead of the shard's search. */
import { throwIfAborted } from '../../parallel/search-options.ts'
import type { MatchRun } from '../../search/collector/listed-matches.ts'
import type { DerivedValues } from '../../search/script/derived-values.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import { EngineError } from '../../util/errors.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import { DerivedEmitter, type EmittedValue } from '../fetch/derived/emit-values.ts'
import { storedThrough } from '../fetch/visible-documents.ts'
import type { Node } from '../node/node.ts'
import type { JoinCall } from './join-call.ts'

/** Work of running a script on a document, in units of about a microsecond. */
const UNITS_PER_DOCUMENT = 8

/**
 * Takes the values of a document, which has some.
 * @throws {EngineError} they are none of the field's type: as where the script fails, the document may be passed over
 */
type TakeValues = (leafOrd: number, docId: number, values: readonly EmittedValue[]) => void

/**
 * Runs a script on candidates, in turns of the event loop.
 * @param take called document by document, in their order
 * @throws {EngineError} the script fails, or emits what is no value of the field; `task_cancelled_exception`
 */
export async function emitForEach(
  node: Node,
  values: DerivedValues,
  runs: readonly MatchRun[],
  call: JoinCall,
  take: TakeValues,
): Promise<void> {
  const { signal } = call
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  const pins = node.memory.newPins()
  try {
    const walk = new Walk(node, values, call, pins, take)
    await inTurns(turn => walk.run(runs, turn), check, signal)
  } finally {
    pins.release()
  }
}

class Walk {
  readonly #node: Node
  readonly #values: DerivedValues
  readonly #call: JoinCall
  readonly #pins: Pins
  readonly #take: TakeValues
  readonly #emitter: DerivedEmitter

  constructor(node: Node, values: DerivedValues, call: JoinCall, pins: Pins, take: TakeValues) {
    this.#node = node
    this.#values = values
    this.#call = call
    this.#pins = pins
    this.#take = take
    this.#emitter = new DerivedEmitter(values)
  }

  *run(runs: readonly MatchRun[], turn: Turn): Generator<void, void, void> {
    const leaves = new Map<number, Leaf>()
    for (const { leafOrd, docs } of runs) {
      const snapshotLeaf = this.#call.snapshot.leaves[leafOrd]!
      let leaf = leaves.get(leafOrd)
      if (leaf === undefined) {
        leaf = this.#node.searcher.openLeaf(snapshotLeaf, this.#pins, null)
        leaves.set(leafOrd, leaf)
      }
      const parents = leaf.parents()
      for (const docId of docs) {
        // Nested documents have no source of their own.
        if (parents !== null && !parents.has(docId)) continue
        this.#emit(leaf, leafOrd, docId)
        if (turn.isOver(UNITS_PER_DOCUMENT)) yield
      }
    }
  }

  #emit(leaf: Leaf, leafOrd: number, docId: number): void {
    try {
      const emitted = this.#emitter.valuesOf(leaf, docId, () => this.#sourceOf(leafOrd, docId))
      if (emitted.length > 0) this.#take(leafOrd, docId, emitted)
    } catch (error) {
      if (!this.#values.ignoresMalformed || !(error instanceof EngineError)) throw error
    }
  }

  #sourceOf(leafOrd: number, docId: number): Uint8Array | null {
    const { snapshot, view } = this.#call
    const { segment } = snapshot.leaves[leafOrd]!
    const source = storedThrough(this.#node.stored, view.fields).read(segment, docId)
    return source.length === 0 ? null : source
  }
}
