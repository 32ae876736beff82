import { similarTerms } from '../../../search/suggest/similar-terms.ts'
import { Float32 } from '../../../util/json/json-value.ts'
import { isScalar } from '../../dsl/json-scalars.ts'
import { parsingError } from '../../dsl/parse-error.ts'
import {
  mappedField,
  namedAnalyzer,
  newCommonOptions,
  readCommonOption,
  requiredField,
  searchAnalyzer,
  shardSizeOf,
  shownText,
} from '../common-options.ts'
import { reduceEntries } from '../reduce-entries.ts'
import { wordsOf } from '../shard-terms.ts'
import { newSpellCheckOptions, readSpellCheckOption } from '../spell-check-options.ts'
import { PLAIN_OPTION, type SuggestEntry, type Suggester } from '../suggester.ts'

/** `term`: terms similar to each word of a text. */
export const term: Suggester = {
  parse(node) {
    const common = newCommonOptions()
    const check = newSpellCheckOptions()
    for (const entry of node.entries) {
      const { key, value } = entry
      if (!isScalar(value)) throw parsingError(value, `suggester[term] parsing failed on [${key}]`)
      if (!readCommonOption(common, entry) && !readSpellCheckOption(check, entry))
        throw parsingError(value, `suggester[term] doesn't support field [${key}]`)
    }
    const name = requiredField(common)
    return {
      make(texts, view) {
        const field = mappedField(view, name)
        const analyzer =
          common.analyzer === null
            ? searchAnalyzer(view, field)
            : namedAnalyzer(view, common.analyzer)
        const { tokens } = analyzer.tokens(shownText(texts))
        const size = shardSizeOf(common)
        return {
          *run(shard, turn) {
            const words = wordsOf(shard, field.name)
            const entries: SuggestEntry[] = []
            for (const token of tokens) {
              const found = yield* similarTerms(words, token.term, size, check.mode, check, turn)
              entries.push({
                text: token.term,
                offset: token.startOffset,
                length: token.endOffset - token.startOffset,
                cutoff: Number.NEGATIVE_INFINITY,
                options: found.map(({ term: text, score, docFreq: freq }) => ({
                  ...PLAIN_OPTION,
                  text,
                  score,
                  freq,
                })),
              })
              if (turn.isOver(WORD_UNITS)) yield
            }
            return entries
          },
          reduce: answers =>
            reduceEntries(answers, common.size, check.sort === 'score' ? 'score' : 'frequency'),
        }
      },
    }
  },
  print: ({ text, score, freq }) => ({ text, score: new Float32(score), freq }),
}

/** Cost of a word, in units of about a microsecond. */
const WORD_UNITS = 500
