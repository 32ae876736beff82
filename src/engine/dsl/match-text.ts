/**
 * Queries of an analysed text on one text field: of all its words, or some, as a phrase, or with the
 * last word as a prefix. Words at one position stand for one another; where they are paths of a
 * graph, each segment of the graph is a clause.
 */
import { type GraphPath, type GraphSegment, TokenGraph } from '../../analysis/token-graph.ts'
import type { TextField } from '../../schema/field-type/text-field.ts'
import {
  type BooleanClause,
  matchNone,
  type PatternQuery,
  type Query,
  type Span,
} from '../../search/query/query.ts'
import { EngineError } from '../../util/errors.ts'
import { type Fuzziness, type FuzzyTerm, PLAIN_TERMS } from './field/many-terms.ts'
import { byCodePoints, scoredBy, textFuzzy, textPrefix, textTerm } from './field/term-queries.ts'
import type { QueryContext, QueryText, QueryToken } from './query-context.ts'

/** The form in which a text is searched. */
export type MatchKind = 'words' | 'phrase' | 'phrasePrefix' | 'wordsPrefix'

/** The query of a text without any word. */
export const NO_TERMS: Query = matchNone('Matching no documents because no terms present')

/** How words are put together. */
export interface TextOptions {
  readonly kind: MatchKind
  readonly operator: 'or' | 'and'
  readonly slop: number
  /** Whether a phrase has gaps where words were taken out. */
  readonly keepsGaps: boolean
  /** Terms that a prefix at the end of a phrase, or a fuzzy word, may become. */
  readonly maxExpansions: number
  /** Whether synonyms of several words are phrases, rather than all of their words. */
  readonly synonymPhrases: boolean
  /** How words may differ from what is searched for; null: not at all. */
  readonly fuzziness: Fuzziness | null
  readonly prefixLength: number
  readonly transpositions: boolean
  readonly fuzzyRewrite: string | null
}

/** Fields of one analyzer whose words are searched together, not field by field. */
export interface SeveralFields {
  /** The query of a word, or of words in one another's place. */
  anyOf(terms: readonly string[]): Query
  /** The query of what each field makes of a phrase. */
  onEach(make: (field: TextField) => Query | null): Query
}

/** A word of a match as a fuzzy term; null where the match has no fuzziness. */
export function fuzzyTerm(options: TextOptions, text: string): FuzzyTerm | null {
  const { fuzziness, prefixLength, maxExpansions, transpositions, fuzzyRewrite } = options
  if (fuzziness === null) return null
  return { text, fuzziness, prefixLength, maxExpansions, transpositions, rewrite: fuzzyRewrite }
}

/**
 * Makes the query of a text.
 * @param field   whose analyzer the text went through
 * @param several asked in place of the field
 * @returns null when the text has no tokens
 * @throws {EngineError} too many clauses; a phrase on a field without positions
 */
export function textQuery(
  field: TextField,
  text: QueryText,
  options: TextOptions,
  context: QueryContext,
  several: SeveralFields | null = null,
): Query | null {
  const builder = new TextQueryBuilder(field, text, options, context, several)
  return builder.build(text.tokens, options.kind, options.operator, options.slop)
}

class TextQueryBuilder {
  readonly #field: TextField
  readonly #text: QueryText
  readonly #options: TextOptions
  readonly #context: QueryContext
  readonly #several: SeveralFields | null

  constructor(
    field: TextField,
    text: QueryText,
    options: TextOptions,
    context: QueryContext,
    several: SeveralFields | null,
  ) {
    this.#field = field
    this.#text = text
    this.#options = options
    this.#context = context
    this.#several = several
  }

  build(
    tokens: readonly QueryToken[],
    kind: MatchKind,
    operator: 'or' | 'and',
    slop: number,
  ): Query | null {
    const [first] = tokens
    if (first === undefined) return null
    if (tokens.length === 1 && kind !== 'phrasePrefix')
      return this.#word(first.term, kind === 'wordsPrefix' && this.#isOpen(first))
    const isPhrase = kind === 'phrase' || kind === 'phrasePrefix'
    if (isPhrase && this.#several !== null)
      return this.#several.onEach(field => this.#of(field).build(tokens, kind, operator, slop))
    if (this.#text.mayBeGraph && tokens.some(token => token.positionLength > 1)) {
      const graph = new TokenGraph(tokens)
      // Filters behind a graph's can leave no way through: then there are words at positions.
      if (graph.segments().length > 0)
        return isPhrase
          ? this.#graphPhrase(graph, tokens, kind, slop)
          : this.#graphWords(graph, operator, kind === 'wordsPrefix')
    }
    const places = placesOf(tokens, this.#options.keepsGaps)
    if (kind === 'phrase' && places.length > 1) return this.#phrase(places, slop)
    if (kind === 'phrasePrefix') return this.#phrasePrefix(places, slop)
    const [only] = places
    if (places.length === 1 && only !== undefined) return this.#anyOf(only.terms)
    const last = tokens[tokens.length - 1]
    const isPrefix = kind === 'wordsPrefix' && last !== undefined && this.#isOpen(last)
    const clauses = places.map(({ terms }, i) =>
      terms.length === 1
        ? this.#word(terms[0]!, isPrefix && i === places.length - 1)
        : // Synonyms are no prefixes.
          this.#anyOf(terms),
    )
    return this.#combined(clauses, operator === 'and' ? 'must' : 'should')
  }

  /** Nothing follows the token in the text, so that it may be the beginning of a word. */
  #isOpen(token: QueryToken): boolean {
    return token.endOffset === this.#text.endOffset
  }

  #of(field: TextField): TextQueryBuilder {
    return new TextQueryBuilder(field, this.#text, this.#options, this.#context, null)
  }

  #word(term: string, isPrefix: boolean): Query {
    const [field, context] = [this.#field, this.#context]
    if (this.#several !== null) return this.#several.anyOf([term])
    if (isPrefix) return textPrefix(field, term, PLAIN_TERMS, context)
    const fuzzy = fuzzyTerm(this.#options, term)
    return fuzzy === null ? textTerm(field, term, context) : textFuzzy(field, fuzzy, context)
  }

  #anyOf(terms: readonly string[]): Query {
    if (terms.length === 1) return this.#word(terms[0]!, false)
    this.#checkCount(terms.length)
    if (this.#several !== null) return this.#several.anyOf(terms)
    textTerm(this.#field, terms[0]!, this.#context)
    const sorted = [...terms].sort(byCodePoints)
    return this.#scored({ kind: 'synonym', field: this.#field.name, terms: sorted })
  }

  #scored(query: Query): Query {
    return scoredBy(this.#field, query, this.#context)
  }

  #combined(queries: readonly Query[], occur: 'must' | 'should'): Query {
    this.#checkCount(queries.length)
    const clauses = queries.map((query): BooleanClause => ({ occur, query }))
    return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  }

  #checkCount(count: number): void {
    const most = this.#context.maxClauseCount
    if (count > most)
      throw new EngineError({
        type: 'too_many_clauses',
        reason: `maxClauseCount is set to ${most}`,
      })
  }

  // ---- phrases --------------------------------------------------------------------------------

  #checkPositions(): void {
    const field = this.#field
    if (field.indexed && field.indexOptions !== 'positions')
      throw new EngineError({
        type: 'illegal_state_exception',
        reason: `field:[${field.name}] was indexed without position data; cannot run PhraseQuery`,
      })
  }

  #phrase(places: readonly Place[], slop: number): Query {
    this.#checkPositions()
    this.#word(places[0]!.terms[0]!, false)
    const field = this.#field.name
    const first = places[0]!.position
    const positions = places.map(place => place.position - first)
    if (places.every(place => place.terms.length === 1)) {
      const terms = places.map(place => place.terms[0]!)
      const isDense = positions.every((position, i) => position === i)
      const shingles = slop === 0 && isDense ? this.#shinglePhrase(terms) : null
      return this.#scored(shingles ?? { kind: 'phrase', field, terms, positions, slop })
    }
    const terms = places.map(place => place.terms)
    return this.#scored({ kind: 'multiPhrase', field, terms, positions, slop })
  }

  /** The phrase over a derived field whose terms are several words in a row; null without one. */
  #shinglePhrase(words: readonly string[]): Query | null {
    const { shingles } = this.#field
    const used = shingles.filter(({ size }) => size <= words.length).at(-1)
    if (used === undefined) return null
    const { name: field, size } = used
    const rows = words.slice(size - 1).map((_, i) => words.slice(i, i + size).join(' '))
    if (rows.length === 1) return { kind: 'term', field, term: rows[0]! }
    return { kind: 'phrase', field, terms: rows, positions: [...rows.keys()], slop: 0 }
  }

  #phrasePrefix(places: readonly Place[], slop: number): Query {
    if (places.length > 1) this.#checkPositions()
    this.#word(places[0]!.terms[0]!, false)
    const first = places[0]!.position
    return this.#scored({
      kind: 'phrasePrefix',
      field: this.#field.name,
      terms: places.map(({ terms }) => terms),
      positions: places.map(place => place.position - first),
      slop,
      maxExpansions: this.#options.maxExpansions,
    })
  }

  /** Each way through the graph as a phrase: as spans, or where words may move one by one. */
  #graphPhrase(
    graph: TokenGraph<QueryToken>,
    tokens: readonly QueryToken[],
    kind: MatchKind,
    slop: number,
  ): Query {
    this.#checkPositions()
    this.#word(tokens[0]!.term, false)
    if (slop > 0) {
      const phrases = this.#pathsOf(graph, null).flatMap(
        path => this.build(asLine(path), kind, 'and', slop) ?? [],
      )
      return this.#combined(phrases, 'should')
    }
    const spans: Span[] = []
    for (const segment of graph.segments()) {
      const isPrefix = kind === 'phrasePrefix' && segment.to === null
      if (segment.gap > 0 && spans.length > 0) spans.push({ kind: 'gap', width: segment.gap })
      spans.push(
        anySpan(
          segment.hasSidePath
            ? this.#pathsOf(graph, segment).map(path => this.#pathSpan(path, isPrefix))
            : segment.tokens.map(({ term }) => this.#wordSpan(term, isPrefix)),
        ),
      )
      this.#checkCount(spans.length)
    }
    const { name } = this.#field
    return this.#scored({ kind: 'span', field: name, span: nearSpan(spans) })
  }

  #pathSpan(path: GraphPath<QueryToken>, isPrefix: boolean): Span {
    const spans: Span[] = []
    for (const [i, { term }] of path.tokens.entries()) {
      const gap = path.gaps[i] ?? 0
      // A gap before the first belongs to the segment.
      if (gap > 0 && i > 0) spans.push({ kind: 'gap', width: gap })
      spans.push(this.#wordSpan(term, isPrefix && i === path.tokens.length - 1))
    }
    return nearSpan(spans)
  }

  #wordSpan(term: string, isPrefix: boolean): Span {
    if (!isPrefix) return { kind: 'term', term }
    const query: PatternQuery = {
      kind: 'pattern',
      field: this.#field.name,
      start: '',
      pattern: { kind: 'prefix', text: term },
      ignoresCase: false,
      rewrite: { kind: 'topTerms', max: this.#options.maxExpansions },
    }
    return { kind: 'multi', query }
  }

  #pathsOf(
    graph: TokenGraph<QueryToken>,
    segment: GraphSegment<QueryToken> | null,
  ): readonly GraphPath<QueryToken>[] {
    const paths = graph.paths(segment, this.#context.maxClauseCount)
    this.#checkCount(paths.length)
    return paths
  }

  // ---- words of a graph -----------------------------------------------------------------------

  #graphWords(graph: TokenGraph<QueryToken>, operator: 'or' | 'and', isPrefix: boolean): Query {
    const hasPositions = this.#field.indexOptions === 'positions'
    const asPhrases = this.#options.synonymPhrases && hasPositions
    const clauses = graph.segments().map(segment => {
      const isLast = isPrefix && segment.to === null
      if (!segment.hasSidePath)
        return segment.tokens.length === 1
          ? this.#word(segment.tokens[0]!.term, isLast)
          : this.#anyOf(segment.tokens.map(token => token.term))
      const kind = !asPhrases ? 'words' : isLast ? 'phrasePrefix' : 'phrase'
      const ways = this.#pathsOf(graph, segment).flatMap(
        path => this.build(asLine(path), kind, 'and', 0) ?? [],
      )
      return this.#combined(ways, 'should')
    })
    return this.#combined(clauses, operator === 'and' ? 'must' : 'should')
  }
}

/** The words of a position. */
interface Place {
  readonly terms: string[]
  readonly position: number
}

function placesOf(tokens: readonly QueryToken[], keepsGaps: boolean): Place[] {
  const places: Place[] = []
  let position = -1
  for (const { term, positionIncrement } of tokens) {
    position += keepsGaps ? positionIncrement : Math.min(1, positionIncrement)
    const last = places[places.length - 1]
    if (last !== undefined && positionIncrement === 0) last.terms.push(term)
    else places.push({ terms: [term], position })
  }
  return places
}

/** A way through a graph as tokens one behind the other. */
function asLine({ tokens, gaps }: GraphPath<QueryToken>): QueryToken[] {
  return tokens.map(({ term, endOffset }, i) => ({
    term,
    endOffset,
    positionIncrement: 1 + (gaps[i] ?? 0),
    positionLength: 1,
  }))
}

function anySpan(spans: readonly Span[]): Span {
  return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
}

function nearSpan(spans: readonly Span[]): Span {
  return spans.length === 1 ? spans[0]! : { kind: 'near', spans, slop: 0, inOrder: true }
}
