/** The aggregations of a search as one gather: their trees are prepared, opened and merged together. */

import type {
  GatherType,
  LeafCounting,
  MatchBatch,
  SliceContext,
  SliceGather,
} from '../search/collector/gather.ts'
import type { Gather } from '../search/collector/gather-plan.ts'
import type { MatchScope } from '../search/collector/match-scope.ts'
import { exactIterator, membership } from '../search/scorer/scorer.ts'
import { sectionBit } from '../search/weight/section-use.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { Aggregation } from './aggregation.ts'
import type {
  AggregationShard,
  AggregationSlice,
  Aggregator,
  CountLimits,
  NodePartial,
} from './aggregation-type.ts'
import { typeOf } from './aggregation-types.ts'
import { collectedWith, readsScores } from './deferral/deferred-children.ts'
import { DOC_COUNT_FIELD, DocCounts } from './doc-counts.ts'
import { COLUMN_BATCH_BYTES } from './kernel/column-batch.ts'
import { maskedTermsOf, readsIds, scriptsOf } from './plan-sources.ts'
import type { ReadyNode } from './ready-node.ts'
import { ROOT_BATCH_BYTES, RootBatch } from './root-batch.ts'
import { Replay, type SampledDocs } from './sampler/replay.ts'
import { SliceCharge } from './slice-charge.ts'
import { SliceNode } from './slice-node.ts'
import { timedAggregator } from './timed-aggregator.ts'

/** All aggregations of a search that see its matches. */
export interface Aggregations extends Gather {
  readonly kind: 'aggregations'
  readonly nodes: readonly Aggregation[]
  /** The matches with the buckets that the nodes stand below; absent: all fall into one. */
  readonly samples?: SampledDocs
  /** Memory that the buckets of a slice may take. */
  readonly maxBytes: number
  /** How leaves may be counted by their statistics, instead of their documents; absent: not at all. */
  readonly counts?: CountLimits
  /** Of `search.aggregation.bucket_selection_strategy_factor`; absent: no profile tells strategies. */
  readonly selectionFactor?: number
}

interface Ready {
  /** Null: documents of all leaves are collected. */
  readonly counting: Counting | null
  readonly nodes: readonly ReadyNode[]
  /** Scratch that is reserved for a leaf. */
  readonly scratchBytes: number
  readonly samples: SampledDocs | null
  /** Whether documents have weights in counts. */
  readonly hasDocCounts: boolean
  readonly maxBytes: number
}

/** How leaves may be counted by their statistics. */
interface Counting {
  readonly scope: MatchScope
  readonly limits: CountLimits
}

const NUMERIC_VALUES = sectionBit('numericValues')
const POINTS = sectionBit('points')
const IDS = sectionBit('ids')
/** Scratch that a part may reserve: of small leaves, values are as well read one by one. */
const MIN_PART_BYTES = 4096
const BYTES_PER_DOC = 1024
const ROOT: Int32Array = new Int32Array(1)

/** The aggregations of a search. */
export const aggregations: GatherType<
  Aggregations,
  Ready,
  readonly NodePartial[],
  readonly NodePartial[]
> = {
  demands: ({ nodes, samples }) => ({
    scores: samples === undefined && nodes.some(readsScores),
    parts: nodes.reduce((sum, node) => sum + countOf(node), 0),
  }),
  prepare({ nodes, samples, maxBytes, counts, selectionFactor }, shard) {
    const hasDocCounts = shard.leaves.some(leaf => leaf.fieldInfo(DOC_COUNT_FIELD) !== null)
    if (hasDocCounts) shard.use(DOC_COUNT_FIELD, NUMERIC_VALUES)
    const maxDoc = shard.leaves.reduce((max, leaf) => Math.max(max, leaf.maxDoc), 0)
    const maxBytesEach = MIN_PART_BYTES + BYTES_PER_DOC * maxDoc
    let scratchBytes = 0
    const reserve = (bytes: number): void => {
      const taken = Math.min(bytes, maxBytesEach)
      scratchBytes += taken
      shard.reserve(taken)
    }
    reserve(ROOT_BATCH_BYTES)
    const top: AggregationShard = {
      ...shard,
      reserve,
      use(field, kinds) {
        shard.use(field, kinds)
        reserve(COLUMN_BATCH_BYTES)
      },
      useTerms(field, fieldData) {
        shard.useTerms(field, fieldData)
        reserve(COLUMN_BATCH_BYTES)
      },
      isAlone: samples === undefined,
      selectionFactor: selectionFactor ?? null,
    }
    const ready = nodes.map(node => prepared(node, top))
    const { scope } = shard
    const counting =
      scope === null || counts === undefined || samples !== undefined
        ? null
        : { scope, limits: counts }
    if (counting !== null && counting.limits.maxRuns > 0)
      for (const field of nodes.map(countedField))
        if (field !== null && mayMatch(counting.scope, field)) shard.use(field, POINTS)
    return {
      counting,
      nodes: ready,
      scratchBytes,
      samples: samples ?? null,
      hasDocCounts,
      maxBytes,
    }
  },
  open: (ready, context) => new SliceAggregations(ready, context),
  counting({ counting, nodes, hasDocCounts }, leaf) {
    if (counting === null || hasDocCounts || leaf.liveDocs !== null) return null
    let isSure = true
    let entries = 0
    for (const { plan } of nodes) {
      const found = countingBy(plan, leaf, counting)
      if (found === null) return null
      isSure &&= found.isSure
      entries += found.entries
    }
    return { isSure, entries }
  },
  closeShard(ready, partials, leaves) {
    const { samples } = ready
    const owners = samples === null ? ROOT : Int32Array.from(Array(samples.bucketCount).keys())
    return ready.nodes.map((node, i) => {
      const merged = new SliceNode(node, leaves)
      for (const slice of partials) merged.add(slice[i]!, owners)
      return merged.close(owners)
    })
  },
}

/** The field by whose points a node at the top may count leaves; null: by none. */
function countedField(node: Aggregation): string | null {
  if (node.children.length > 0 || scriptsOf(node).length > 0) return null
  return typeOf(node).countsBy?.(node) ?? null
}

/** To find the points of a step takes as long as to read so many entries of a dictionary. */
const ENTRIES_OF_A_STEP = 10

/** How a node counts a leaf by its statistics; null: it does not. */
function countingBy(
  plan: Aggregation,
  leaf: Leaf,
  { scope, limits: { maxRuns, maxTerms } }: Counting,
): LeafCounting | null {
  const dictionary = typeOf(plan).countsByTerms?.(plan) ?? null
  if (dictionary !== null && scope.kind === 'all') {
    const info = leaf.fieldInfo(dictionary)
    if (info !== null && info.indexOptions !== 'none' && info.termCount <= maxTerms)
      return { isSure: true, entries: info.termCount }
  }
  const field = countedField(plan)
  if (field === null || maxRuns === 0 || !mayMatch(scope, field)) return null
  const info = leaf.fieldInfo(field)
  if (info?.hasPoints !== true || info.multiValued) return null
  const { pointSteps } = typeOf(plan)
  if (pointSteps === undefined) return { isSure: false, entries: 0 }
  const steps = pointSteps(plan, leaf, scope, maxRuns)
  return steps === null ? null : { isSure: true, entries: ENTRIES_OF_A_STEP * steps }
}

/** Whether the points of a field may give the matches. */
function mayMatch(scope: MatchScope, field: string): boolean {
  return scope.kind === 'all' || scope.field === field
}

/** A node with those below it. */
function countOf(node: Aggregation): number {
  return collectedWith(node).reduce((sum, child) => sum + countOf(child), 1)
}

function prepared(plan: Aggregation, shard: AggregationShard): ReadyNode {
  const children = collectedWith(plan)
  for (const script of scriptsOf(plan)) shard.useScript(script)
  for (const { field, fieldData } of maskedTermsOf(plan)) shard.useTerms(field, fieldData)
  if (readsIds(plan)) shard.use('', IDS)
  const below = { ...shard, isAlone: false }
  return {
    plan,
    ready: typeOf(plan).prepare(plan, shard),
    children: children.map(child => prepared(child, below)),
  }
}

/** An aggregator with those below it. */
interface OpenNode {
  readonly aggregator: Aggregator
  readonly children: readonly OpenNode[]
  /** Whether it may count leaves by their statistics, if it stands at the top. */
  readonly mayCount: (limits: CountLimits) => boolean
}

class SliceAggregations implements SliceGather<readonly NodePartial[]> {
  readonly #roots: readonly OpenNode[]
  /** Those that collect the documents of the open leaf. */
  #open: readonly OpenNode[] = []
  readonly #counting: Counting | null
  readonly #batch: RootBatch
  readonly #replay: Replay | null
  readonly #docCounts: DocCounts | null
  readonly #ownerLimit: number
  readonly #scratchBytes: number

  constructor(
    { counting, nodes, scratchBytes, samples, hasDocCounts, maxBytes }: Ready,
    context: SliceContext,
  ) {
    const charge = new SliceCharge(maxBytes)
    const slice: AggregationSlice = {
      charge: bytes => charge.add(bytes),
      scripts: context.scripts,
      docCounts: () => (this.#docCounts?.isPresent === true ? this.#docCounts : null),
      membership(weight, leaf, leafOrd, most) {
        const supplier = context.supplier(weight, leaf, leafOrd)
        return supplier === null ? null : membership(supplier.get(most))
      },
      lookUpsOfNoting: (weight, leaf, leafOrd) => context.lookUpsOfNoting(weight, leaf, leafOrd),
      note: (weight, leaf, leafOrd, bits) => context.note(weight, leaf, leafOrd, bits),
      matches(weight, leaf, leafOrd) {
        const supplier = context.supplier(weight, leaf, leafOrd)
        if (supplier === null) return null
        return exactIterator(supplier.get(leaf.maxDoc), context.watch)
      },
    }
    this.#counting = counting
    this.#roots = nodes.map(node => this.#make(node, slice, context.timer))
    this.#docCounts = hasDocCounts ? new DocCounts() : null
    this.#ownerLimit = samples?.bucketCount ?? 1
    this.#scratchBytes = scratchBytes
    this.#batch = new RootBatch(context.scripts)
    const roots = this.#roots.map(({ aggregator }) => aggregator)
    this.#replay = samples === null ? null : new Replay(samples, roots, context.scripts)
  }

  openLeaf(leaf: Leaf, leafOrd: number, isWhole: boolean): void {
    this.#docCounts?.openLeaf(leaf)
    leaf.scratch.lend(this.#scratchBytes, () => {
      this.#batch.openLeaf(leaf)
      this.#open = this.#uncounted(leaf, isWhole)
      for (const root of this.#open) openOn(root, leaf, leafOrd, this.#ownerLimit)
    })
  }

  collect(batch: MatchBatch): void {
    if (this.#replay !== null) {
      this.#replay.collect(batch, this.#docCounts)
      return
    }
    if (this.#open.length === 0) return
    this.#batch.wrap(batch, this.#docCounts)
    for (const { aggregator } of this.#open) aggregator.collect(this.#batch)
  }

  /** Counts a leaf where its points give all of its matches; returns the roots that must collect them. */
  #uncounted(leaf: Leaf, isWhole: boolean): readonly OpenNode[] {
    const counting = this.#counting
    if (counting === null || !isWhole || leaf.liveDocs !== null) return this.#roots
    if (this.#docCounts?.isPresent === true) return this.#roots
    const { scope, limits } = counting
    return this.#roots.filter(
      ({ aggregator, mayCount }) =>
        !mayCount(limits) || aggregator.countLeaf?.(leaf, scope, limits) !== true,
    )
  }

  closeLeaf(): void {
    for (const root of this.#open) closeOn(root)
  }

  finish(): readonly NodePartial[] {
    return this.#roots.map(partialOf)
  }

  #make(node: ReadyNode, slice: AggregationSlice, timers: SliceContext['timer']): OpenNode {
    const timer = timers?.() ?? null
    const children = node.children.map(child => this.#make(child, slice, timers))
    const { plan, ready } = node
    const below = children.map(child => child.aggregator)
    const open = (): Aggregator => typeOf(plan).open(plan, ready, below, slice)
    const aggregator = timer === null ? open() : timedAggregator(timer, open)
    const byPoints = countedField(plan) !== null
    const byTerms = typeOf(plan).countsByTerms?.(plan) != null
    const mayCount = ({ maxRuns, maxTerms }: CountLimits): boolean =>
      (byPoints && maxRuns > 0) || (byTerms && maxTerms > 0)
    return { aggregator, children, mayCount }
  }
}

/** @param ownerLimit of its owning buckets */
function openOn(node: OpenNode, leaf: Leaf, leafOrd: number, ownerLimit: number): void {
  const { aggregator, children } = node
  aggregator.openLeaf(leaf, leafOrd, ownerLimit)
  const limit = aggregator.bucketLimit ?? Number.POSITIVE_INFINITY
  for (const child of children) openOn(child, leaf, leafOrd, limit)
}

function closeOn({ aggregator, children }: OpenNode): void {
  for (const child of children) closeOn(child)
  aggregator.closeLeaf?.()
}

function partialOf({ aggregator, children }: OpenNode): NodePartial {
  return { own: aggregator.finish(), children: children.map(partialOf) }
}
