/** Queries of spans: the grammar of spans, each kind of query at the top of one. */
import type { Span } from '../../../src/search/query/query.ts'
import { plainExpansion, termsOf } from '../plain-terms.ts'
import {
  boostedBy,
  boostKey,
  type Draw,
  type Made,
  NOTHING,
  oneOf,
  type PlainQueryKind,
  several,
} from './kind.ts'
import type { PlainShard } from './plain-shard.ts'

/** A drawn span: as a request has it, and on a shard. */
interface DrawnSpan {
  readonly name: string
  readonly body: object
  readonly names: readonly string[]
  on(shard: PlainShard): Span
}

type SpanKind = (draw: Draw, depth: number) => DrawnSpan

function dslOf({ name, body }: DrawnSpan): object {
  return { [name]: body }
}

function made(
  name: string,
  body: object,
  inner: readonly DrawnSpan[],
  on: (shard: PlainShard) => Span,
): DrawnSpan {
  return { name, body, names: [name, ...inner.flatMap(({ names }) => names)], on }
}

function spanTerm({ word }: Draw): DrawnSpan {
  const term = word()
  return made('span_term', { body: term }, [], () => ({ kind: 'term', term }))
}

function spanNear(draw: Draw, depth: number): DrawnSpan {
  const { random } = draw
  const spans = several(2 + random.below(2), () => randomSpan(draw, depth - 1))
  const [slop, inOrder] = [random.below(5), random.below(2) === 0]
  const body = { clauses: spans.map(dslOf), slop, in_order: inOrder }
  return made('span_near', body, spans, shard => ({
    kind: 'near',
    spans: spans.map(each => each.on(shard)),
    slop,
    inOrder,
  }))
}

/** A gap stands between two spans in order. */
function spanGap(draw: Draw, depth: number): DrawnSpan {
  const [before, after] = [randomSpan(draw, depth - 1), randomSpan(draw, depth - 1)]
  const [width, slop] = [1 + draw.random.below(2), draw.random.below(3)]
  const clauses = [dslOf(before), { span_gap: { body: width } }, dslOf(after)]
  const near = made('span_near', { clauses, slop, in_order: true }, [before, after], shard => ({
    kind: 'near',
    spans: [before.on(shard), { kind: 'gap', width }, after.on(shard)],
    slop,
    inOrder: true,
  }))
  return { ...near, names: ['span_gap', ...near.names] }
}

function spanOr(draw: Draw, depth: number): DrawnSpan {
  const spans = several(2 + draw.random.below(2), () => randomSpan(draw, depth - 1))
  return made('span_or', { clauses: spans.map(dslOf) }, spans, shard => ({
    kind: 'or',
    spans: spans.map(each => each.on(shard)),
  }))
}

function spanFirst(draw: Draw, depth: number): DrawnSpan {
  const [span, end] = [randomSpan(draw, depth - 1), 1 + draw.random.below(12)]
  return made('span_first', { match: dslOf(span), end }, [span], shard => ({
    kind: 'first',
    span: span.on(shard),
    end,
  }))
}

function spanNot(draw: Draw, depth: number): DrawnSpan {
  const [include, exclude] = [randomSpan(draw, depth - 1), randomSpan(draw, depth - 1)]
  const [pre, post] = [draw.random.below(3), draw.random.below(3)]
  const body = { include: dslOf(include), exclude: dslOf(exclude), pre, post }
  return made('span_not', body, [include, exclude], shard => ({
    kind: 'not',
    include: include.on(shard),
    exclude: exclude.on(shard),
    pre,
    post,
  }))
}

function pair(kind: 'containing' | 'within'): SpanKind {
  return (draw, depth) => {
    const [big, little] = [spanNear(draw, depth), randomSpan(draw, depth - 1)]
    const body = { big: dslOf(big), little: dslOf(little) }
    return made(`span_${kind}`, body, [big, little], shard => ({
      kind,
      big: big.on(shard),
      little: little.on(shard),
    }))
  }
}

function spanMulti({ random, word }: Draw): DrawnSpan {
  const text = word()
  const pattern =
    random.below(2) === 0
      ? ({ kind: 'prefix', text: text.slice(0, 2) } as const)
      : ({ kind: 'wildcard', text: `${text[0]!}*` } as const)
  const match = { [pattern.kind]: { body: { value: pattern.text } } }
  return made('span_multi', { match }, [], ({ documents }) => {
    const rewrite = { kind: 'constant' } as const
    const rest = { field: 'body', start: '', pattern, ignoresCase: false, rewrite } as const
    const terms = termsOf(plainExpansion({ kind: 'pattern', ...rest }, documents))
    const spans = terms.map((term): Span => ({ kind: 'term', term }))
    return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
  })
}

/** Under either of its names. */
function masking(name: string): SpanKind {
  return ({ word }) => {
    const term = word()
    const body = { query: { span_term: { title: term } }, field: 'body' }
    return made(name, body, [], () => ({
      kind: 'masked',
      field: 'title',
      shown: 'body',
      span: { kind: 'term', term },
    }))
  }
}

const SPANS: Readonly<Record<string, SpanKind>> = {
  span_term: spanTerm,
  span_near: spanNear,
  span_gap: spanGap,
  span_or: spanOr,
  span_first: spanFirst,
  span_not: spanNot,
  span_containing: pair('containing'),
  span_within: pair('within'),
  span_multi: spanMulti,
  field_masking_span: masking('field_masking_span'),
  span_field_masking: masking('span_field_masking'),
}

function randomSpan(draw: Draw, depth: number): DrawnSpan {
  if (depth <= 0 || draw.random.below(3) === 0) return spanTerm(draw)
  return oneOf(draw.random, Object.values(SPANS))(draw, depth)
}

/** The query of a span. */
function spanQuery(draw: Draw, span: DrawnSpan): Made {
  const boost = boostKey(draw.random)
  const isTerm = span.name === 'span_term'
  return {
    name: span.name,
    within: span.names,
    body: isTerm ? span.body : { ...span.body, ...boost },
    on(shard) {
      const found = span.on(shard)
      if (found.kind === 'or' && found.spans.length === 0) return NOTHING
      const query = { kind: 'span', field: 'body', span: found } as const
      return isTerm ? query : boostedBy(query, boost)
    },
  }
}

/** Queries by their names in requests; a gap stands within a near. */
export const SPAN_KINDS: Readonly<Record<string, PlainQueryKind>> = Object.fromEntries(
  Object.entries(SPANS).map(([name, kind]) => [
    name,
    (draw: Draw) => spanQuery(draw, kind(draw, 2)),
  ]),
)
