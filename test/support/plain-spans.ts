/** Spans of a text as lists: which there are, as Lucene finds them. */
import type { Span } from '../../src/search/query/query.ts'

/** An occurrence; `width` counts the positions between its parts. */
interface Occurrence {
  readonly start: number
  readonly end: number
  readonly width: number
}

/** The texts of a document by field. */
type Texts = ReadonlyMap<string, readonly string[]>

/** The spans of a field's text, by start, then end. */
export function plainSpans(span: Span, field: string, texts: Texts): readonly Occurrence[] {
  const of = (inner: Span): readonly Occurrence[] => plainSpans(inner, field, texts)
  const tokens = texts.get(field) ?? []
  switch (span.kind) {
    case 'masked':
      return plainSpans(span.span, span.field, texts)
    case 'term':
      return tokens.flatMap((token, start) =>
        token === span.term ? [{ start, end: start + 1, width: 0 }] : [],
      )
    case 'or':
      return span.spans.flatMap(of).sort((a, b) => a.start - b.start || a.end - b.end)
    case 'near':
      return span.inOrder
        ? ordered(span.spans, span.slop, of)
        : unordered(span.spans.map(of), span.slop)
    case 'first':
      return of(span.span).filter(({ start, end }) => start < span.end && end <= span.end)
    case 'not': {
      const excluded = of(span.exclude)
      return of(span.include).filter(({ start, end }) => {
        const next = excluded.find(other => other.end > start - span.pre)
        return next === undefined || next.start - span.post >= end
      })
    }
    case 'containing':
    case 'within': {
      const [bigs, littles] = [of(span.big), of(span.little)]
      return span.kind === 'containing' ? containing(bigs, littles) : within(bigs, littles)
    }
    case 'gap':
    case 'multi':
      throw new Error('gaps stand between spans, and the oracle has no patterns')
  }
}

/** The terms of a span with their fields, but for excluded ones; each once, by field and text. */
export function spanTerms(span: Span, field: string): readonly (readonly [string, string])[] {
  const all = termsWithin(span, field)
  const distinct = new Map(all.map(each => [each.join(' '), each]))
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function termsWithin(span: Span, field: string): (readonly [string, string])[] {
  const of = (inner: Span): (readonly [string, string])[] => termsWithin(inner, field)
  switch (span.kind) {
    case 'term':
      return [[field, span.term]]
    case 'or':
    case 'near':
      return span.spans.flatMap(of)
    case 'first':
      return of(span.span)
    case 'masked':
      return termsWithin(span.span, span.field)
    case 'not':
      return of(span.include)
    case 'containing':
    case 'within':
      return [...of(span.big), ...of(span.little)]
    case 'gap':
    case 'multi':
      return []
  }
}

/** Each next part is the first one not yet passed behind the one before. */
function ordered(
  spans: readonly Span[],
  slop: number,
  of: (span: Span) => readonly Occurrence[],
): Occurrence[] {
  const lists = spans.map(each => (each.kind === 'gap' ? null : of(each)))
  const at = spans.map(() => 0)
  const found: Occurrence[] = []
  for (const lead of lists[0] ?? []) {
    let [end, width] = [lead.end, 0]
    for (let i = 1; i < spans.length; i++) {
      const list = lists[i]!
      const each = spans[i]!
      if (each.kind === 'gap') {
        end += each.width
        continue
      }
      while (at[i]! < list!.length && list![at[i]!]!.start < end) at[i]!++
      const next = list![at[i]!]
      if (next === undefined) return found
      width += next.start - end
      end = next.end
    }
    if (width <= slop) found.push({ start: lead.start, end, width })
  }
  return found
}

/** The first of the parts moves on, step by step; of equal ones a binary heap says which is first. */
function unordered(lists: readonly (readonly Occurrence[])[], slop: number): Occurrence[] {
  if (lists.some(list => list.length === 0)) return []
  const at = lists.map(() => 0)
  const part = (i: number): Occurrence => lists[i]![at[i]!]!
  const isAhead = (i: number, j: number): boolean => {
    const [a, b] = [part(i), part(j)]
    return a.start < b.start || (a.start === b.start && a.end < b.end)
  }
  const heap: number[] = []
  for (const i of lists.keys()) {
    heap.push(i)
    for (let own = heap.length - 1; own > 0; ) {
      const up = (own - 1) >> 1
      if (!isAhead(heap[own]!, heap[up]!)) break
      ;[heap[own], heap[up]] = [heap[up]!, heap[own]!]
      own = up
    }
  }
  const found: Occurrence[] = []
  let end = 0
  for (;;) {
    const parts = lists.map((_, i) => part(i))
    end = Math.max(end, ...parts.map(each => each.end))
    const { start } = part(heap[0]!)
    const covered = parts.reduce((sum, each) => sum + each.end - each.start, 0)
    if (end - start - covered <= slop) found.push({ start, end, width: end - start })
    if (++at[heap[0]!]! === lists[heap[0]!]!.length) return found
    for (let own = 0; ; ) {
      const [left, right] = [2 * own + 1, 2 * own + 2]
      if (left >= heap.length) break
      const down = right < heap.length && isAhead(heap[right]!, heap[left]!) ? right : left
      if (!isAhead(heap[down]!, heap[own]!)) break
      ;[heap[own], heap[down]] = [heap[down]!, heap[own]!]
      own = down
    }
  }
}

function containing(bigs: readonly Occurrence[], littles: readonly Occurrence[]): Occurrence[] {
  const found: Occurrence[] = []
  let at = 0
  for (const big of bigs) {
    while (at < littles.length && littles[at]!.start < big.start) at++
    if (at === littles.length) break
    if (big.end >= littles[at]!.end) found.push(big)
  }
  return found
}

function within(bigs: readonly Occurrence[], littles: readonly Occurrence[]): Occurrence[] {
  const found: Occurrence[] = []
  let at = 0
  for (const little of littles) {
    while (at < bigs.length && bigs[at]!.end < little.end) at++
    if (at === bigs.length) break
    if (bigs[at]!.start <= little.start) found.push(little)
  }
  return found
}
