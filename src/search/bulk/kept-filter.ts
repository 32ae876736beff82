/** Which filters are worth keeping from search to search, and under what key. */
import type { CollectSpec } from '../collector/collect-spec.ts'
import type { PointInterval, TermRun, WeightNode } from '../weight/weight.ts'
import type { BulkShape } from './bulk-shape.ts'

/** A filter as it is kept: two with the same key have the same documents in every segment. */
export interface KeptFilter {
  readonly key: string
  /** How often a segment must have been asked for it of late. */
  readonly leastUses: number
}

// As in Lucene's UsageTrackingQueryCachingPolicy: what walks many terms or points, what combines other
// queries, and the rest.
const USES_OF_COSTLY = 2
const USES_OF_COMBINED = 4
const USES_OF_OTHERS = 5
/** Filters of so many units are not told apart any more: a few thousand terms. */
const LONGEST_KEY = 65_536

const known = new WeakMap<WeightNode, KeptFilter | null>()

/** Null for what is not kept: a single term is as cheap to read anew, and so are ids. */
export function keptFilter(node: WeightNode): KeptFilter | null {
  let filter = known.get(node)
  if (filter === undefined) {
    filter = makeFilter(node)
    known.set(node, filter)
  }
  return filter
}

/** The nodes of a search whose sets may be kept; those of the post filter last. */
export function keptNodes(shape: BulkShape, spec: CollectSpec): readonly WeightNode[] {
  const nodes: WeightNode[] = []
  for (const node of shape.filters) if (keptFilter(node) !== null) nodes.push(node)
  for (const node of shape.prohibited) if (keptFilter(node) !== null) nodes.push(node)
  for (const { kind, node } of shape.optional)
    if (kind === 'set' && keptFilter(node) !== null) nodes.push(node)
  if (spec.postFilter !== null && keptFilter(spec.postFilter.root) !== null)
    nodes.push(spec.postFilter.root)
  return nodes
}

function makeFilter(node: WeightNode): KeptFilter | null {
  if (node.kind === 'constant') return keptFilter(node.child)
  const leastUses = usesOf(node)
  if (leastUses === null) return null
  const key = keyOf(node)
  return key === null || key.length > LONGEST_KEY ? null : { key, leastUses }
}

function usesOf(node: WeightNode): number | null {
  switch (node.kind) {
    case 'multiTerm':
    case 'point':
      return USES_OF_COSTLY
    case 'boolean':
    case 'disMax':
      return USES_OF_COMBINED
    case 'phrase':
    case 'multiPhrase':
    case 'exists':
    case 'boosting':
      return USES_OF_OTHERS
    default:
      return null
  }
}

/**
 * What decides a node's documents, whatever it scores. Text stands with its length in front, so that
 * no two filters read the same.
 */
function keyOf(node: WeightNode): string | null {
  switch (node.kind) {
    case 'term':
      return `t${text(node.field)}${text(node.term)}`
    case 'phrase':
      return `h${text(node.field)}${node.slop};${node.positions};${node.terms.map(text).join('')}`
    case 'synonym':
      return `s${text(node.field)}${node.terms.map(text).join('')};`
    case 'multiPhrase': {
      const terms = node.terms.map(each => `${each.length}:${each.map(text).join('')}`).join('')
      return `g${text(node.field)}${node.slop};${node.positions};${terms}`
    }
    // The numbers of its terms are this search's own.
    case 'span':
      return null
    case 'all':
      return 'a'
    case 'none':
      return 'n'
    case 'constant':
      return keyOf(node.child)
    case 'multiTerm':
      return `m${text(node.field)}${node.runs.map(runKey).join('')};`
    case 'point':
      return `p${text(node.field)}${node.intervals.map(intervalKey).join('')};`
    case 'exists':
      return `e${text(node.field)}${node.nameId === null ? 0 : 1}`
    case 'boolean': {
      const keys = node.clauses.map(({ occur, node: child }) => [occur, keyOf(child)] as const)
      if (keys.some(([, key]) => key === null)) return null
      const clauses = keys.map(([occur, key]) => `${occur}(${key})`).join('')
      return `b${node.minimumShouldMatch}${clauses};`
    }
    case 'disMax': {
      const keys = node.children.map(keyOf)
      return keys.includes(null) ? null : `d(${keys.join(')(')});`
    }
    // What is demoted matches all the same.
    case 'boosting':
      return keyOf(node.positive)
    case 'ids':
      return null
  }
}

function text(value: string): string {
  return `${value.length}:${value}`
}

function runKey({ lower, upper }: TermRun): string {
  return `${bytesText(lower)}${upper === null ? '-' : bytesText(upper)}`
}

/** A unit for each byte: as UTF-8, bounds that are none would look alike. */
function bytesText(bytes: Uint8Array): string {
  let out = `${bytes.length}:`
  for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i]!)
  return out
}

function intervalKey({ lowerHi, lowerLo, upperHi, upperLo }: PointInterval): string {
  return `${lowerHi},${lowerLo},${upperHi},${upperLo}/`
}
