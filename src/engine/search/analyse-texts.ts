/** Analyses the texts that `significant_text` compares, and counts their terms in one shard. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import type {
  ClosedTexts,
  SignificantText,
} from '../../aggregation/significant/significant-text.ts'
import {
  type ClosedSignificant,
  SliceSignificant,
} from '../../aggregation/significant/slice-significant.ts'
import { TextTerms } from '../../aggregation/significant/text-terms.ts'
import { throwIfAborted } from '../../parallel/search-options.ts'
import { valuesAt } from '../../schema/source-values.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import { scalarText } from '../dsl/json-scalars.ts'
import { storedThrough } from '../fetch/visible-documents.ts'
import { textBackground } from './text-background.ts'
import { tokensOf } from './text-tokens.ts'
import type { TextsCall } from './texts-call.ts'

/** A source of 2⁴ bytes is a unit of work where it is read and analysed. */
const LOG2_SOURCE_BYTES_PER_UNIT = 4

/**
 * The columns of a shard with those of texts.
 * @param partials of the nodes, with the documents of these
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function analyseTexts(
  nodes: readonly Aggregation[],
  partials: readonly NodePartial[],
  call: TextsCall,
): Promise<readonly NodePartial[]> {
  if (!nodes.some(comparesTexts)) return partials
  const whole: NodePartial[] = []
  for (const [i, node] of nodes.entries()) {
    const { own, children } = partials[i]!
    if (own !== null && node.kind === 'significantText')
      whole.push({ own: await analysed(node, own as ClosedTexts, call), children })
    else whole.push({ own, children: await analyseTexts(childrenOf(node), children, call) })
  }
  return whole
}

/** Whether a node compares texts, or one below it. */
export function comparesTexts(node: Aggregation): boolean {
  return node.kind === 'significantText' || childrenOf(node).some(comparesTexts)
}

async function analysed(
  plan: SignificantText,
  texts: ClosedTexts,
  call: TextsCall,
): Promise<ClosedSignificant> {
  const { node, signal, charge } = call
  const terms = new TextTerms(texts.ownerCount, plan, bytes => charge.add(bytes))
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  await inTurns(turn => countTerms(plan, texts, terms, call, turn), check, signal)
  const background = await textBackground(plan, terms, call, check)
  const merged = new SliceSignificant(plan, terms, background)
  const owners = Int32Array.from(Array(texts.ownerCount).keys())
  merged.add(terms.columns(), owners)
  return merged.close(owners).own
}

/** Reads the documents in order, each once for all of its buckets. */
function* countTerms(
  { values, paths }: SignificantText,
  { docs, owners, weights }: ClosedTexts,
  terms: TextTerms,
  { node, search, snapshot }: TextsCall,
  turn: Turn,
): Generator<void, void, void> {
  const { mapping, fields, index } = search.view
  const { analysis } = index
  const documents = storedThrough(node.stored, fields)
  const field = mapping.field(values.field)
  const tokenize = field === null ? () => [] : tokensOf(field, analysis)
  const { leaves } = snapshot
  let leafOrd = 0
  for (let i = 0; i < docs.length; ) {
    const doc = docs[i]!
    while (leafOrd + 1 < leaves.length && leaves[leafOrd + 1]!.docBase <= doc) leafOrd++
    const { segment, docBase } = leaves[leafOrd]!
    const source = documents.read(segment, doc - docBase)
    const tree = source.length === 0 ? null : parseJsonTree(source)
    const texts =
      tree === null
        ? []
        : paths
            .flatMap(path => valuesAt(tree, path, false))
            .flatMap(value => scalarText(value) ?? [])
            .map(tokenize)
    for (; i < docs.length && docs[i] === doc; i++) terms.count(owners[i]!, weights[i]!, texts)
    if (turn.isOver(1 + (source.length >>> LOG2_SOURCE_BYTES_PER_UNIT))) yield
  }
}

function childrenOf(node: Aggregation): readonly Aggregation[] {
  return node.children as readonly Aggregation[]
}
