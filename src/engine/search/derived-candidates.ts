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

/** A script with the documents that it runs on. */
interface EmittingRun {
  readonly values: DerivedValues
  readonly runs: readonly MatchRun[]
  /** Whether they are nested ones, which have no source; else whole ones alone count. */
  readonly isNested: boolean
}

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
  emitting: EmittingRun,
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
    const walk = new Walk(node, emitting, call, pins, take)
    await inTurns(turn => walk.run(turn), check, signal)
  } finally {
    pins.release()
  }
}

class Walk {
  readonly #node: Node
  readonly #emitting: EmittingRun
  readonly #call: JoinCall
  readonly #pins: Pins
  readonly #take: TakeValues
  readonly #emitter: DerivedEmitter

  constructor(node: Node, emitting: EmittingRun, call: JoinCall, pins: Pins, take: TakeValues) {
    this.#node = node
    this.#emitting = emitting
    this.#call = call
    this.#pins = pins
    this.#take = take
    this.#emitter = new DerivedEmitter(emitting.values)
  }

  *run(turn: Turn): Generator<void, void, void> {
    const { runs, isNested } = this.#emitting
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
        if (!isNested && parents?.has(docId) === false) continue
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
      if (!this.#emitting.values.ignoresMalformed || !(error instanceof EngineError)) throw error
    }
  }

  #sourceOf(leafOrd: number, docId: number): Uint8Array | null {
    if (this.#emitting.isNested) return null
    const { snapshot, view } = this.#call
    const { segment } = snapshot.leaves[leafOrd]!
    const source = storedThrough(this.#node.stored, view.fields).read(segment, docId)
    return source.length === 0 ? null : source
  }
}
