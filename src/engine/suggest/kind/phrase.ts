import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import { SYNONYM_TYPE } from '../../../analysis/token-filter/synonym-graph-filter.ts'
import type { ShingleSizes, TokenState } from '../../../analysis/token-stream.ts'
import {
  CandidateGenerator,
  type CandidateSet,
  type GeneratorPlan,
} from '../../../search/suggest/candidate-generator.ts'
import {
  bestCorrections,
  type Correction,
  LEAST_SCORE,
  phraseScore,
} from '../../../search/suggest/phrase-corrections.ts'
import { WordScorer } from '../../../search/suggest/word-scorer.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { Float32 } from '../../../util/json/json-value.ts'
import type { Turn } from '../../../util/turns.ts'
import type { IndexView } from '../../metadata/index-view.ts'
import {
  mappedField,
  namedAnalyzer,
  requiredField,
  searchAnalyzer,
  shardSizeOf,
  shownText,
} from '../common-options.ts'
import { defaultGenerator, generatorPlan } from '../direct-generator.ts'
import { type PhraseOptions, readPhraseOptions } from '../phrase-options.ts'
import { reduceEntries } from '../reduce-entries.ts'
import { wordsOf } from '../shard-terms.ts'
import { DEFAULT_SMOOTHING } from '../smoothing.ts'
import {
  PLAIN_OPTION,
  type SuggestEntry,
  type Suggester,
  type SuggestOption,
  type SuggestShard,
} from '../suggester.ts'

/** `phrase`: the whole text with its most likely corrections. */
export const phrase: Suggester = {
  parse(node) {
    const options = readPhraseOptions(node)
    const name = requiredField(options.common)
    return {
      make(texts, view) {
        const field = mappedField(view, name)
        const { analyzer: named } = options.common
        const analyzer = named === null ? searchAnalyzer(view, field) : namedAnalyzer(view, named)
        const text = shownText(texts)
        const plan: PhrasePlan = {
          options,
          field: field.name,
          tokens: analyzer.tokens(text).tokens,
          gramSize: options.gramSize ?? shinglesOf(analyzer)?.max ?? 1,
          generators: generatorsOf(options, name, analyzer, view),
        }
        return {
          collate: options.collate,
          *run(shard, turn) {
            const { cutoff, corrections } = yield* correct(plan, shard, turn)
            const kept = corrections.map(each => optionOf(each, options))
            const found = kept.filter(({ score }) => score > cutoff)
            return [{ text, offset: 0, length: text.length, cutoff, options: found }]
          },
          reduce: (answers): readonly SuggestEntry[] =>
            reduceEntries(answers, options.common.size, 'scoreAlone'),
        }
      },
    }
  },
  print: ({ text, highlighted, score, collateMatch }) => ({
    text,
    highlighted: highlighted ?? undefined,
    score: new Float32(score),
    collate_match: collateMatch ?? undefined,
  }),
}

/** A phrase suggestion made for an index. */
interface PhrasePlan {
  readonly options: PhraseOptions
  readonly field: string
  readonly tokens: readonly TokenState[]
  readonly gramSize: number
  readonly generators: readonly GeneratorPlan[]
}

/** The shingles that an analyzer makes; null: none. */
function shinglesOf({ parts }: Analyzer): ShingleSizes | null {
  return parts.filters.find(filter => filter.shingles !== undefined)?.shingles ?? null
}

function generatorsOf(
  { generators, forcesUnigrams }: PhraseOptions,
  field: string,
  analyzer: Analyzer,
  view: IndexView,
): readonly GeneratorPlan[] {
  if (generators.length > 0) return generators.map(each => generatorPlan(each, view))
  const shingles = shinglesOf(analyzer)
  if (forcesUnigrams && shingles !== null && shingles.min > 1 && !shingles.withUnigrams)
    throw new IllegalArgumentError(
      `The default candidate generator for phrase suggest can't operate on field: [${field}] since ` +
        "it doesn't emit unigrams. If this is intentional try to set the candidate generator " +
        'field explicitly',
    )
  return [generatorPlan(defaultGenerator(field), view)]
}

interface Corrected {
  readonly cutoff: number
  readonly corrections: readonly Correction[]
}

const NOTHING: Corrected = { cutoff: LEAST_SCORE, corrections: [] }

function* correct(
  { options, field, tokens, gramSize, generators: plans }: PhrasePlan,
  shard: SuggestShard,
  turn: Turn,
): Generator<void, Corrected, void> {
  const { realWordLikelihood, confidence, maxErrors, separator, tokenLimit } = options
  const generators: CandidateGenerator[] = []
  for (const plan of plans) {
    const words = wordsOf(shard, plan.field)
    yield* words.addUp(turn)
    if (!words.isEmpty) generators.push(new CandidateGenerator(plan, words, realWordLikelihood))
  }
  const [first] = generators
  const words = wordsOf(shard, field)
  yield* words.addUp(turn)
  if (first === undefined || words.isEmpty) return NOTHING
  for (const { term } of tokens) yield* first.prepare(term, turn)
  const sets = setsOf(tokens, first, options)
  if (sets.length === 0 || sets.length >= tokenLimit) return NOTHING
  const size = shardSizeOf(options.common)
  for (const set of sets) {
    for (const generator of generators) {
      yield* generator.draw(set, turn)
      if (turn.isOver(DRAW_UNITS)) yield
    }
    set.candidates = [...set.candidates].sort((a, b) => b.score - a.score).slice(0, size)
  }
  const smoothing = options.smoothing ?? DEFAULT_SMOOTHING
  const scorer = new WordScorer(words, smoothing, separator, realWordLikelihood, gramSize)
  const inputs = sets.map(({ input }) => input)
  const cutoff =
    confidence > 0 ? (yield* phraseScore(inputs, scorer, turn)) * confidence : LEAST_SCORE
  const corrections = yield* bestCorrections(sets, scorer, maxErrors, size, cutoff, turn)
  return { cutoff, corrections }
}

/** Cost of the corrections of a word, in units of about a microsecond. */
const DRAW_UNITS = 500

/** The words of a text; synonyms are corrections of the words that they stand for. */
function setsOf(
  tokens: readonly TokenState[],
  generator: CandidateGenerator,
  { forcesUnigrams, realWordLikelihood }: PhraseOptions,
): readonly CandidateSet[] {
  const sets: CandidateSet[] = []
  for (const { term, type, positionIncrement } of tokens) {
    if (forcesUnigrams && type === 'shingle') continue
    const last = sets.at(-1)
    if (positionIncrement === 0 && type === SYNONYM_TYPE && last !== undefined) {
      const word = generator.wordOf(term, realWordLikelihood, false)
      if (word.count.docFreq > 0) last.candidates = [...last.candidates, word]
    } else sets.push({ input: generator.wordOf(term, 1, true), candidates: [] })
  }
  if (forcesUnigrams && sets.length === 0 && tokens.length > 0)
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: 'At least one unigram is required but all tokens were ngrams',
      status: 400,
    })
  return sets
}

function optionOf({ score, words }: Correction, { highlight }: PhraseOptions): SuggestOption {
  const text = words.map(({ term }) => term).join(' ')
  let highlighted: string | null = null
  if (highlight !== null) {
    const { before, after } = highlight
    // Neighbouring corrections share their tags.
    const tagged = words.map(({ term, isInput }, i) => {
      if (isInput) return term
      const opens = words[i - 1]?.isInput !== false
      const closes = words[i + 1]?.isInput !== false
      return `${opens ? before : ''}${term}${closes ? after : ''}`
    })
    highlighted = tagged.join(' ')
  }
  return { ...PLAIN_OPTION, text, score: Math.fround(score), highlighted }
}
